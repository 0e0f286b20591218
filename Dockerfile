# Croupier's image. `docker build -t croupier .`, then `docker run -p 8000:8000 -v croupier:/data croupier`.

FROM python:3.13-slim AS packages
WORKDIR /packages
COPY requirements.txt requirements-otel.txt ./
RUN python -m venv /venv \
    && /venv/bin/pip install --no-cache-dir --disable-pip-version-check \
        --only-binary :all: --require-hashes -r requirements.txt -r requirements-otel.txt

FROM python:3.13-slim
RUN useradd --uid 10001 --no-create-home --shell /usr/sbin/nologin croupier \
    && install --directory --owner croupier --group croupier --mode 700 /data
COPY --from=packages /venv /venv
WORKDIR /croupier
COPY . .
RUN /venv/bin/python -m compileall -q .

ENV PATH=/venv/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    CROUPIER_HOST=0.0.0.0 \
    CROUPIER_DATA_DIR=/data \
    CROUPIER_LOG_FORMAT=json \
    PORT=8000
USER 10001
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=5s --timeout=3s --start-period=30s \
    CMD ["python", "-c", "import os, urllib.request as r; r.urlopen(f'http://127.0.0.1:{os.environ[\"PORT\"]}/healthz', timeout=2)"]
CMD ["gunicorn", "--config", "gunicorn.conf.py"]
