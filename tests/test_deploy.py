"""What is deployed: the manifests for Kubernetes are valid and agree with the image, the settings
and each other; the Dockerfile and the compose file hold too."""

from __future__ import annotations

import re
import runpy
import subprocess
import sys
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import kubernetes_validate
import pytest
import yaml

from api.config import Config
from tests.markdown import page
from tests.services import ROOT

#: The oldest version for which the manifests are meant, and the newest whose schemas there are.
VERSIONS = ("1.27", kubernetes_validate.latest_version())
FOLDER = ROOT / "deploy" / "kubernetes"
Json = dict[str, Any]


def manifests() -> dict[str, Json]:
    """Every manifest by its kind."""
    found: dict[str, Json] = {}
    for path in FOLDER.glob("*.yaml"):
        for document in yaml.safe_load_all(path.read_text("utf-8")):
            assert document["kind"] not in found
            found[document["kind"]] = document
    return found


ALL = manifests()
KUSTOMIZATION = ALL.pop("Kustomization")
POD: Json = ALL["Deployment"]["spec"]["template"]
(CONTAINER,) = POD["spec"]["containers"]


# Kubernetes


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("kind", ALL)
def test_a_manifest_is_valid(kind: str, version: str) -> None:
    kubernetes_validate.validate(ALL[kind], version, strict=True)


def test_a_wrong_manifest_is_caught() -> None:
    for wrong in ({"replica": 2}, {"minReadySeconds": "soon"}):
        spec = {**ALL["Deployment"]["spec"], **wrong}
        with pytest.raises(kubernetes_validate.ValidationError):
            kubernetes_validate.validate(
                {**ALL["Deployment"], "spec": spec}, VERSIONS[0], strict=True
            )


def test_all_of_them_are_applied_together() -> None:
    listed = {*KUSTOMIZATION["resources"], "kustomization.yaml"}
    assert {path.name for path in FOLDER.iterdir()} == listed
    assert {image["name"] for image in KUSTOMIZATION["images"]} == {CONTAINER["image"]}


def test_they_are_about_the_same_pods() -> None:
    labels = POD["metadata"]["labels"]
    (spread,) = POD["spec"]["topologySpreadConstraints"]
    assert [
        ALL["Deployment"]["spec"]["selector"]["matchLabels"],
        ALL["Service"]["spec"]["selector"],
        ALL["PodDisruptionBudget"]["spec"]["selector"]["matchLabels"],
        spread["labelSelector"]["matchLabels"],
    ] == [labels] * 4
    target = ALL["HorizontalPodAutoscaler"]["spec"]["scaleTargetRef"]
    assert (target["kind"], target["name"]) == ("Deployment", ALL["Deployment"]["metadata"]["name"])
    assert "cpu" in CONTAINER["resources"]["requests"], "the autoscaler reckons with it"
    (port,) = ALL["Service"]["spec"]["ports"]
    assert port["targetPort"] == CONTAINER["ports"][0]["name"]
    # One pod can go while another stays.
    assert ALL["HorizontalPodAutoscaler"]["spec"]["minReplicas"] >= 2
    assert ALL["PodDisruptionBudget"]["spec"]["maxUnavailable"] == 1


def test_the_settings_are_such_as_there_are_and_the_stores_url_is_a_secret() -> None:
    given = ALL["ConfigMap"]["data"]
    assert set(given) <= set(re.findall(r'"""([A-Z_]+): ', page("api/config.py")))
    config = Config.from_environ({**image_environment(), **given})
    # Where the count of workers is not set it follows the node's cores.
    assert "CROUPIER_WORKERS" in given
    assert config.drain_seconds > 0
    assert CONTAINER["envFrom"] == [
        {"configMapRef": {"name": ALL["ConfigMap"]["metadata"]["name"]}}
    ]
    (url,) = CONTAINER["env"]
    assert url["name"] == "REDIS_URL"
    assert url["valueFrom"].keys() == {"secretKeyRef"}
    assert "Secret" not in ALL, "a secret is nothing for a repository"


def test_a_pod_may_do_nothing_that_it_does_not_need() -> None:
    pod, container = POD["spec"]["securityContext"], CONTAINER["securityContext"]
    assert pod["runAsNonRoot"] is True
    assert pod["seccompProfile"] == {"type": "RuntimeDefault"}
    assert container["allowPrivilegeEscalation"] is False
    assert container["readOnlyRootFilesystem"] is True
    assert container["capabilities"] == {"drop": ["ALL"]}
    assert POD["spec"]["automountServiceAccountToken"] is False
    # The workers' metrics, and nothing else, go to temporary files.
    (mount,) = CONTAINER["volumeMounts"]
    assert mount["mountPath"] == "/tmp"


def test_a_pod_that_is_to_go_has_the_time_to_end_its_streams() -> None:
    drain = int(ALL["ConfigMap"]["data"]["CROUPIER_DRAIN_SECONDS"])
    probe = CONTAINER["readinessProbe"]
    noticed = probe["failureThreshold"] * (probe["periodSeconds"] + probe["timeoutSeconds"])
    assert noticed < drain, "it is sent requests when it no longer takes any"
    settled = runpy.run_path(str(ROOT / "gunicorn.conf.py"))
    # gunicorn waits so long, stops what is left a second later, and spans have two more.
    assert POD["spec"]["terminationGracePeriodSeconds"] >= drain + settled["graceful_timeout"] + 5
    assert "lifecycle" not in CONTAINER, "CROUPIER_DRAIN_SECONDS does that"


def test_the_probes_ask_for_what_they_are_for() -> None:
    asked = {name: CONTAINER[name]["httpGet"] for name in CONTAINER if name.endswith("Probe")}
    assert asked == {
        "startupProbe": {"path": "/healthz", "port": "http"},
        "livenessProbe": {"path": "/healthz", "port": "http"},
        "readinessProbe": {"path": "/readyz", "port": "http"},
    }
    notes = POD["metadata"]["annotations"]
    assert notes["prometheus.io/path"] == "/metrics"
    assert notes["prometheus.io/port"] == str(CONTAINER["ports"][0]["containerPort"])


# The image


def instructions() -> Iterator[tuple[str, str]]:
    """The Dockerfile's instructions in order."""
    text = re.sub(r"^#.*\n", "", page("Dockerfile"), flags=re.MULTILINE).replace("\\\n", " ")
    for line in filter(str.strip, text.splitlines()):
        name, _, rest = line.partition(" ")
        yield name, " ".join(rest.split())


def image_environment() -> dict[str, str]:
    """What the image sets."""
    (text,) = (rest for name, rest in instructions() if name == "ENV")
    return dict(pair.split("=", 1) for pair in text.split())


def test_the_dockerfile_passes_its_linter() -> None:
    hadolint = Path(sys.executable).with_name("hadolint")
    ran = subprocess.run(
        [str(hadolint), "--no-color", "Dockerfile"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "", "")


def test_the_image_and_the_pod_agree() -> None:
    said = list(instructions())
    (user,) = (rest for name, rest in said if name == "USER")
    assert str(POD["spec"]["securityContext"]["runAsUser"]) == user
    assert any(f"--uid {user} " in rest for name, rest in said if name == "RUN")
    (port,) = (rest for name, rest in said if name == "EXPOSE")
    environ = image_environment()
    assert environ["PORT"] == port == str(CONTAINER["ports"][0]["containerPort"])
    config = Config.from_environ(environ)
    assert (config.host, config.log_format) == ("0.0.0.0", "json")
    (volume,) = (rest for name, rest in said if name == "VOLUME")
    assert str(config.data_dir) == volume
    assert "command" not in CONTAINER


def test_what_the_image_copies_is_there_and_is_let_in() -> None:
    let_in = [line[1:] for line in page(".dockerignore").splitlines() if line.startswith("!")]
    for name in let_in:
        assert (ROOT / name).exists(), name
    for name, rest in instructions():
        if name == "COPY" and not rest.startswith(("--from", ".")):
            *sources, _ = rest.split()
            for source in sources:
                assert any(fnmatch(source, pattern) for pattern in let_in), source
    # What the service reads at its start: its code, the rules, and gunicorn's settings.
    assert {"app.py", "gunicorn.conf.py", "api", "engine", "docs"} <= set(let_in)


def test_the_compose_file_sets_what_there_is() -> None:
    services = yaml.safe_load(page("compose.yaml"))["services"]
    croupier, valkey = services["croupier"], services["valkey"]
    config = Config.from_environ({**image_environment(), **croupier["environment"]})
    assert config.redis_url == "redis://valkey:6379/0"
    assert croupier["depends_on"] == {"valkey": {"condition": "service_healthy"}}
    assert croupier["ports"] == [f"${{PORT:-8000}}:{config.port}"]
    # What is confirmed is kept, and nothing is thrown out to make room.
    for words in ("--appendonly yes", "--maxmemory-policy noeviction"):
        assert words in valkey["command"]
    assert valkey["volumes"] == ["matches:/data"]
