"""What requests that nobody should send are made of."""

from __future__ import annotations

GAMES = (
    "even-steven", "card-keeper", "seven-twos-tens",
)  # fmt: skip
METHODS = (
    "GET", "POST", "DELETE", "HEAD", "OPTIONS",
)  # fmt: skip
ODD_METHODS = (
    "PUT", "PATCH", "TRACE", "CONNECT", "PROPFIND", "PRI", "get", "GETGET",
    "GGGGGGGGGGGGGGGGGGGG", "M-SEARCH", "!#$%&'*+-.^_`|~", "", "G T", "G\tT", "\x00", "G\xc9T",
    3000 * "A",
)  # fmt: skip
VERSIONS = (
    "HTTP/1.0", "HTTP/1.1", "HTTP/1.1", "HTTP/1.2", "HTTP/2.0", "HTTP/0.9", "HTTP/11", "http/1.1",
    "HTTP/1.1 ", "", "ICY", "HTTP/1.\u0661",
)  # fmt: skip
TEXTS = (
    "", " ", "\x00", "a\x00b", "\xe9", "\u202e", "\U0001f0a1", "\ud800", "\u0663",
    "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", 5000 * "x", "null", "__proto__", "constructor",
    "{{7*7}}", "${jndi:x}", "%s%n", "'; FLUSHALL; --", "../../etc", "<script>alert(1)</script>",
    "\r\nSet-Cookie: a=b", "-1", "1e999", "true",
)  # fmt: skip
NUMBERS = (
    0, -1, 1, 2147483648, 9007199254740992, 9223372036854775808, -9223372036854775808,
    10000000000000000000000000000000000000000, 0.5, -0.0, 1e+308,
)  # fmt: skip
NAMES = (
    "seats", "options", "seed", "public", "name", "bot", "open", "action", "card", "cards",
    "slot", "target", "targets", "colour", "seat", "client_seed", "turn_seconds", "on_timeout",
    "turn_limit", "token", "host_token", "match_id", "", "\x00", "Action", "\xe9",
)  # fmt: skip
WORDS = (
    "play", "draw", "pick_up", "flip", "steal", "decline", "lay", "burn", "name_colour", "4C",
    "10H", "red-1", "wild", "random", "greedy", "red", "Ada",
)  # fmt: skip
RAW_BODIES = (
    b"", b"{", b"}", b"[]", b"null", b"\xff\xfe{\x00}\x00", b"\xef\xbb\xbf{}", b"\x00", b"{}{}",
    b'{"a":1,"a":2}', b'{"a":NaN}', b'{"a":1e999}', b"\x1f\x8b\x08\x00", 9000 * b"[",
    3000 * b'{"a":', 500 * b"[" + 500 * b"]", 100 * b'"', 10000 * b"9", 16384 * b" ",
    b'{"seats":"' + 4000 * b"\xf0\x9f\x82\xa1" + b'"}', b'{"a":"\\ud800"}', b"seats=1&x=2",
    b"--x\r\n\r\n--x--", b"\x80\x04\x95.", b"<?xml version='1.0'?>",
)  # fmt: skip
TYPES = (
    "application/json", "application/json; charset=utf-8", "application/json; charset=utf-16",
    'application/json;charset="', "application/json; " + 200 * "x=y;", "text/plain", "",
    "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "*/*", "a", "\xe9",
    "application/json, text/html", "APPLICATION/JSON",
)  # fmt: skip
ACCEPTS = (
    "*/*", "application/json", "text/html", "", ",", ";;;", "a/b;q=2", "*/*;q=-1", "q",
    3000 * "x", "application/json;q=0", "text/*;q=0.5, application/problem+json",
    "a/" + 200 * ";q=1",
)  # fmt: skip
TAGS = (
    "*", '"0-0"', '"0-"', 'W/"0-0"', '"', "0", '"a", "b", *', '"9999999999999999-0"', "\xe9",
    '"\x01"', '"' + 2000 * "x" + '"', ",,,",
)  # fmt: skip
QUERIES = (
    "", "?", "?after=0", "?after=-1", "?after=99999999999999999999", "?after=1&after=2",
    "?wait=1", "?after=0&wait=0", "?wait=61", "?wait=1e3", "?limit=0", "?limit=1000", "?limit=x",
    "?after=%00", "?why=true", "?why=maybe", "?dry_run=true", "?dry_run=True", "?status=playing",
    "?status=%ff", "?cursor=AAAA", "?cursor=" + 3000 * "A", "?cursor=\xe9", "?%00=%00", "?a[]=1",
    "?;", "?&&&", "?limit=1;limit=2", "?after=\u0663", "?" + 500 * "a=b&", "?__proto__=1",
    "?after=1%0d%0aX:y",
)  # fmt: skip
PATHS = (
    "/", "//", "/v1", "/v1/games/", "/v1/games/%00", "/v1/games/../games",
    "/v1/games/even-steven/", "/v1/games/even-steven/matches/", "/v1//games",
    "/%2e%2e/%2e%2e/etc/passwd", "/static/../app.py", "/static/%2e%2e/config.py",
    "/static/..%2f..%2fapp.py", "/static/docs.css/", "/static/\\..\\",
    "/static/swagger-ui/../../../flask/app.py", "/static//etc/passwd", "/cards/standard/4C.svg",
    "/cards/../4C.svg", "/cards/standard/%00.svg", "/cards/%ff/x.svg", "/problems/",
    "/problems/x", "/problems/../x", "/openapi.json/x", "/docs/", "/%", "/%zz", "/%ff%fe",
    "/\x7f", "/\xe9", "/a b", "*", "http://other/v1/games", "https://[::1", "http://[x]/", "a:b",
    "", "/" + 4000 * "x", 1500 * "/a" + "/", "/" + 1000 * "%41", "/v1/games?x=#y", "/#",
    "/healthz;x", "/.env", "/v1/games/even-steven/matches/../../card-keeper", "/readyz",
    "/metrics", "/healthz",
)  # fmt: skip
SEATS = (
    "0", "1", "-1", "00", "99999999999999999999", "x", "%30", "0.0", "1e0", "", "\u0663",
)  # fmt: skip
HEADERS = (
    "Host: other", "Host: a, b", "Host: ", "Host: x\x00", "Host: [::1", "Host: \xe9",
    "Content-Length: 0", "Content-Length: 5", "Content-Length: -1", "Content-Length: +1",
    "Content-Length: 1_0", "Content-Length: 0x5", "Content-Length: 5, 5",
    "Content-Length: 1000000000", "Content-Length: \u0663", "Content-Length:",
    "Transfer-Encoding: chunked", "Transfer-Encoding: Chunked, chunked",
    "Transfer-Encoding: identity", "Transfer-Encoding: gzip, chunked", "Transfer-Encoding: x",
    "Transfer-Encoding:\x0bchunked", "Transfer-Encoding : chunked", "Content-Encoding: gzip",
    "Content-Encoding:" + 100 * " gzip," + " ", "Expect: 100-continue", "Expect: x",
    "Connection: close", "Connection: upgrade, HTTP2-Settings", "Upgrade: h2c",
    "HTTP2-Settings: AAMAAABkAAQAAP__", "Upgrade: websocket", "Connection: keep-alive, close, x",
    "Keep-Alive: timeout=999999", "TE: trailers", "Trailer: Host", "Range: bytes=0-1",
    "Range: bytes=" + 500 * "0-0,", "If-Modified-Since: x",
    "If-Modified-Since: Thu, 01 Jan 1970 00:00:00 GMT", "Cookie: a=b; session=x",
    "Cookie:" + 900 * " a=b;" + " ", "X-Request-Id: x\tx", "X-Request-Id: " + 65 * "x",
    "X-Request-Id: \xe9", "X-Request-Id: ok", "X-Forwarded-For: 198.51.100.7",
    "X-Forwarded-For: " + 500 * "1.1.1.1,", "X-Forwarded-Proto: https", "X-Forwarded-Proto: http",
    "X-Forwarded-Protocol: ssl", "X-Forwarded-Ssl: on", "X-Forwarded-Host: other",
    "X-Forwarded-Prefix: /x", "Forwarded: for=1.1.1.1", "SCRIPT_NAME: /x", "PATH_INFO: /healthz",
    "REMOTE_ADDR: 1.1.1.1", "X_Forwarded_For: 1.1.1.1", "Script-Name: /x", "Path-Info: /x",
    "Remote-Addr: 1.1.1.1", "Proxy: http://x", "Wsgi.Input: x", "X-HTTP-Method-Override: DELETE",
    "X-Original-URL: /metrics", "Origin: null", "Origin: \xe9", "Origin: x",
    "Access-Control-Request-Method: DELETE", "Referer: \x80", "User-Agent: \xff", "User-Agent:",
    "Last-Event-ID: 5", "Last-Event-ID: -1", "Last-Event-ID: \u0663",
    "Last-Event-ID: " + 400 * "9", "Idempotency-Key: k", "Idempotency-Key: ",
    "Idempotency-Key: \xe9", "Idempotency-Key: a b", "Idempotency-Key: " + 129 * "k",
    "Authorization: Basic Og==", "Authorization: Bearer", "Authorization: Bearer  x",
    "Authorization: Bearer \xe9", "Authorization:" + 200 * " Bearer x," + " ", ": x", "no colon",
    " folded: x", "X: a\r\n b", "X\x00: y", "X: \x00", "X(: y", 3000 * "X" + ": y",
    "X: " + 8000 * "y", "X: " + 9000 * "y", "\x80: y", "X: \ry", "X: \ny", "X:\x7f",
)  # fmt: skip
FRAMES = (
    b"Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    b"Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n",
    b"Content-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nG",
    b"Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n",
    b"Transfer-Encoding: chunked\r\nTransfer-Encoding: x\r\n\r\n0\r\n\r\n",
    b"Transfer-Encoding: xchunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n",
    b"Transfer-Encoding:\tchunked\r\n\r\n0\r\n\r\n",
    b"Transfer-Encoding: chunked \r\n\r\n0\r\n\r\n",
    b"Transfer-Encoding: \x0cchunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n",
    b"Transfer-Encoding\r\n: chunked\r\n\r\n0\r\n\r\n",
    b"X: y\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    b"Content-Length: 0\r\nContent-Length: 40\r\n\r\n", b"Content-Length: 0, 40\r\n\r\n",
    b"Content-Length : 40\r\n\r\n", b"Content-Length: 40\n\r\n", b"Content-Length: 0\n\n",
    b"Content_Length: 40\r\n\r\n", b"Transfer_Encoding: chunked\r\n\r\n0\r\n\r\n",
    b"Content-Length: 1e1\r\n\r\n",
)  # fmt: skip
CHUNKS = (
    b"0\r\n\r\n", b"2\r\n{}\r\n0\r\n\r\n", b"00000000000000000002\r\n{}\r\n0\r\n\r\n",
    b"2;a=b\r\n{}\r\n0\r\n\r\n", b'2;a="b\r\n"\r\n{}\r\n0\r\n\r\n', b"2\n{}\n0\n\n",
    b"0x2\r\n{}\r\n0\r\n\r\n", b"+2\r\n{}\r\n0\r\n\r\n", b"-2\r\n{}\r\n",
    b" 2\r\n{}\r\n0\r\n\r\n", b"2 \r\n{}\r\n0\r\n\r\n", b"2\r\n{}0\r\n\r\n",
    b"2\r\n{}\r\n0\r\nHost: x\r\n\r\n", b"2\r\n{}\r\n0\r\nContent-Length: 9\r\n\r\n",
    b"2\r\n{}\r\n0\r\nX: y\r\n\r\n", b"ffffffffffffffffffff\r\n{}", b"7fffffffffffffff\r\n{}",
    b"2_0\r\n{}\r\n0\r\n\r\n", b"\r\n", b"z\r\n", b"2\r\n{}\r\n", b"2\r\n{", b"1;" + 9000 * b"x",
    50 * b"1\r\n{\r\n" + b"0\r\n\r\n", b"2\r\n{}\r\n0\r\nno colon\r\n\r\n",
    b"4000\r\n" + 16384 * b" " + b"\r\n0\r\n\r\n", b"4001\r\n" + 16385 * b" " + b"\r\n0\r\n\r\n",
    b"2\r\n{}\r\n0" + 100 * b"\r\nX: y" + b"\r\n\r\n",
)  # fmt: skip
GREETINGS = (
    b"", b"\r\n", b"\n", b"\r\n\r\n\r\n", 100 * b"\x00", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    b"GET /\r\n", b"GET / \r\n\r\n",
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(range(200)),
    b"SSH-2.0-x\r\n", b"*1\r\n$4\r\nPING\r\n",
    b"PROXY TCP4 1.1.1.1 2.2.2.2 1 2\r\nGET /healthz HTTP/1.1\r\nHost: x\r\n\r\n",
    b"\r\n\r\n\x00\r\nQUIT\n!\x11\x00\x0c\x01\x01\x01\x01\x02\x02\x02\x02\x00\x01\x00\x02",
    b"GET / HTTP/1.1\r\n", b"GET / HTTP/1.1\nHost: x\n\n", b"GET / HTTP/1.1\r\rHost: x\r\r",
    b"GET  / HTTP/1.1\r\nHost: x\r\n\r\n", b" GET / HTTP/1.1\r\nHost: x\r\n\r\n",
    b"GET / HTTP/1.1 x\r\nHost: x\r\n\r\n", 5000 * b"\xff", 100000 * b"A",
)  # fmt: skip
SMUGGLED = b"GET /problems/too-large HTTP/1.1\r\nHost: croupier\r\nX-Request-Id: smuggled\r\n\r\n"
