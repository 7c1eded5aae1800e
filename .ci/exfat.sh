# Run pytest where FOLDER/disk is a new exFAT. `nox -s exfat` starts it so that all mounts end with it.
set -euo pipefail
folder=$1
shift
mkdir -p "$folder/disk"
truncate -s 3G "$folder/image"
mkfs.exfat "$folder/image" >"$folder/log"
device=$(losetup -f --show "$folder/image")
mount.exfat-fuse "$device" "$folder/disk" >>"$folder/log" 2>&1 || {
  losetup -d "$device"
  cat "$folder/log"
  exit 1
}
losetup -d "$device" # once it is not mounted any more
pytest -q --basetemp="$folder/disk/tests" "$@"
