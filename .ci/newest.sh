# Run pytest in the Debian of a folder, where /project is a copy of this one. `nox -s newest` starts it so that all
# mounts end with it.
set -euo pipefail
folder=$1
shift
mount --rbind /dev "$folder/dev" # with the terminals
mount -t proc proc "$folder/proc"
exec chroot "$folder" bash -euc '
  cd /project
  "$1" -m venv .venv
  shift
  bin=.venv/bin
  $bin/pip install -q uv
  $bin/uv pip install -q --python $bin/python -e . --group coverage || $bin/pip install -q -e . --group coverage
  git --version
  $bin/python -VV
  $bin/pytest -q "$@"
' newest "$@"
