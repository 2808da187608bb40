# What ./doorbell and ./verify share: finding a JDK and Maven, installing what is missing, building the command.
# Sourced by bash (3.2 or newer); the caller sets `root` (the project's folder) and `me` (its own name, for messages).

doorbell_jdk_release=25
doorbell_app=$root/target/doorbell

say() { printf '%s: %s\n' "$me" "$*" >&2; }

# --- the JDK ------------------------------------------------------------------------------------------------------

# Prints the feature release (25, 26, ...) of the JDK in folder $1; fails where there is none, or no compiler in it.
jdk_feature_release() {
  local home=$1 line version=
  [ -x "$home/bin/java" ] && [ -x "$home/bin/javac" ] || return 1
  if [ -r "$home/release" ]; then
    while IFS= read -r line || [ -n "$line" ]; do
      case $line in JAVA_VERSION=*) version=${line#*=}; version=${version//\"/} ;; esac
    done < "$home/release"
  fi
  if [ -z "$version" ]; then
    line=$("$home/bin/java" -version 2>&1 < /dev/null | grep -m 1 ' version "') || return 1
    version=${line#*\"}; version=${version%%\"*}
  fi
  version=${version%%[!0-9]*}
  [ -n "$version" ] && echo "$version"
}

jdk_is_usable() {
  local release
  release=$(jdk_feature_release "$1") && [ "$release" -ge "$doorbell_jdk_release" ]
}

# The home folder of the java that PATH finds, behind all links.
jdk_on_path() {
  local java link
  java=$(command -v java) || return 1
  while [ -L "$java" ]; do
    link=$(readlink "$java")
    case $link in /*) java=$link ;; *) java=$(dirname "$java")/$link ;; esac
  done
  (cd "$(dirname "$java")/.." && pwd -P)
}

# Sets `jdk` to the JDK to use: JAVA_HOME's, else PATH's, else the oldest one that is new enough in the usual folders.
find_jdk() {
  local home release best=
  jdk=
  if [ -n "${JAVA_HOME:-}" ] && jdk_is_usable "$JAVA_HOME"; then jdk=$JAVA_HOME; return; fi
  if home=$(jdk_on_path) && jdk_is_usable "$home"; then jdk=$home; return; fi
  for home in /usr/lib/jvm/* /usr/lib64/jvm/* /opt/* /opt/java/* /opt/jdk/* /usr/java/* /usr/local/java/* /usr/local/*jdk* \
    "$HOME"/.sdkman/candidates/java/* "$HOME"/.jdks/* "$HOME"/.local/share/mise/installs/java/* "$HOME"/.asdf/installs/java/* \
    /Library/Java/JavaVirtualMachines/*/Contents/Home "$HOME"/Library/Java/JavaVirtualMachines/*/Contents/Home \
    /opt/homebrew/opt/openjdk*/libexec/openjdk.jdk/Contents/Home /usr/local/opt/openjdk*/libexec/openjdk.jdk/Contents/Home; do
    [ -x "$home/bin/javac" ] || continue
    release=$(jdk_feature_release "$home") || continue
    [ "$release" -ge "$doorbell_jdk_release" ] || continue
    if [ -z "$best" ] || [ "$release" -lt "$best" ]; then best=$release jdk=$home; fi
  done
  [ -n "$jdk" ]
}

# --- the system's package manager ---------------------------------------------------------------------------------

# Sets `packager` (apt-get, dnf, ... or empty) and `as_root` (empty, or "sudo -n").
find_packager() {
  local name
  packager='' as_root=''
  for name in apt-get dnf yum zypper pacman apk brew; do
    if command -v "$name" > /dev/null; then packager=$name; break; fi
  done
  [ "$packager" = brew ] || [ "$(id -u)" = 0 ] || as_root='sudo -n'
}

may_install() {
  [ -n "$packager" ] || return 1
  [ -z "$as_root" ] || { command -v sudo > /dev/null && sudo -n true 2> /dev/null; }
}

# The command that installs $@, as a user would type it.
install_command() {
  local sudo=
  [ -z "$as_root" ] || sudo='sudo '
  case $packager in
    apt-get) echo "${sudo}apt-get install -y --no-install-recommends $*" ;;
    dnf | yum) echo "$sudo$packager install -y $*" ;;
    zypper) echo "${sudo}zypper --non-interactive install $*" ;;
    pacman) echo "${sudo}pacman -S --noconfirm --needed $*" ;;
    apk) echo "${sudo}apk add $*" ;;
    brew) echo "brew install $*" ;;
  esac
}

# Package lists are fetched at most once a run: a fresh machine or container has none, or old ones.
refresh_package_lists() {
  [ -z "${package_lists_are_fresh:-}" ] || return 0
  package_lists_are_fresh=yes
  case $packager in
    apt-get) $as_root apt-get update -qq > /dev/null 2>&1 < /dev/null || true ;;
    pacman) $as_root pacman -Sy > /dev/null 2>&1 < /dev/null || true ;;
  esac
}

package_exists() {
  case $packager in
    apt-get) apt-cache policy "$1" 2> /dev/null | grep -q 'Candidate: [^(]' ;;
    dnf | yum) $packager -q list "$1" > /dev/null 2>&1 < /dev/null ;;
    zypper) zypper -q search --match-exact "$1" > /dev/null 2>&1 < /dev/null ;;
    pacman) pacman -Si "$1" > /dev/null 2>&1 ;;
    apk) apk search -e "$1" 2> /dev/null | grep -q . ;;
    brew) brew info "$1" > /dev/null 2>&1 < /dev/null ;;
    *) return 1 ;;
  esac
}

# install_packages WHAT PACKAGE...: installs, after one line that says so. Fails, with the reason printed, where it cannot.
install_packages() {
  local what=$1 log
  shift
  say "$what is missing: installing $* with $packager"
  log=$(mktemp)
  # shellcheck disable=SC2046 # the command line is meant to be split
  if DEBIAN_FRONTEND=noninteractive $as_root $(as_root='' install_command "$@") > "$log" 2>&1 < /dev/null; then
    rm -f "$log"
    return 0
  fi
  tail -n 20 "$log" >&2
  rm -f "$log"
  return 1
}

jdk_packages() {
  case $packager in
    apt-get) echo "openjdk-$doorbell_jdk_release-jdk-headless temurin-$doorbell_jdk_release-jdk" ;;
    dnf | yum) echo "java-$doorbell_jdk_release-openjdk-devel java-latest-openjdk-devel temurin-$doorbell_jdk_release-jdk" ;;
    zypper) echo "java-$doorbell_jdk_release-openjdk-devel" ;;
    pacman) echo "jdk$doorbell_jdk_release-openjdk jdk-openjdk" ;;
    apk) echo "openjdk$doorbell_jdk_release-jdk openjdk$doorbell_jdk_release" ;;
    brew) echo "openjdk@$doorbell_jdk_release openjdk" ;;
  esac
}

explain_missing_jdk() {
  local sudo=
  [ -z "$as_root" ] || sudo='sudo '
  say "no JDK $doorbell_jdk_release or newer in JAVA_HOME, on the PATH or in the usual folders. To get one:"
  if [ -n "${1:-}" ]; then
    echo "  $(install_command "$1")" >&2
  elif [ "$packager" = apt-get ]; then
    cat >&2 << EOF
  ${sudo}apt-get install -y wget gpg
  ${sudo}install -d /etc/apt/keyrings
  wget -qO - https://packages.adoptium.net/artifactory/api/gpg/key/public | gpg --dearmor | ${sudo:+sudo }tee /etc/apt/keyrings/adoptium.gpg > /dev/null
  echo "deb [signed-by=/etc/apt/keyrings/adoptium.gpg] https://packages.adoptium.net/artifactory/deb \$(. /etc/os-release; echo \$VERSION_CODENAME) main" | ${sudo:+sudo }tee /etc/apt/sources.list.d/adoptium.list > /dev/null
  ${sudo}apt-get update
  ${sudo}apt-get install -y temurin-$doorbell_jdk_release-jdk
EOF
  else
    cat >&2 << EOF
  curl -s https://get.sdkman.io | bash
  . ~/.sdkman/bin/sdkman-init.sh
  sdk install java $doorbell_jdk_release-tem
EOF
  fi
  say "then start again, or set JAVA_HOME to a JDK that you have."
}

# Sets `jdk`, installing one if need be and possible; exits with 69 (a needed program is not available) otherwise.
require_jdk() {
  local package found=
  find_jdk && return
  find_packager
  if may_install; then
    refresh_package_lists
    for package in $(jdk_packages); do
      if package_exists "$package"; then found=$package; break; fi
    done
    if [ -n "$found" ] && install_packages "JDK $doorbell_jdk_release" "$found" && find_jdk; then return; fi
  else
    for package in $(jdk_packages); do
      if package_exists "$package"; then found=$package; break; fi
    done
  fi
  explain_missing_jdk "$found"
  exit 69
}

require_maven() {
  command -v mvn > /dev/null && return
  find_packager
  if may_install; then
    refresh_package_lists
    if install_packages Maven maven && hash -r && command -v mvn > /dev/null; then return; fi
  fi
  say "Maven (mvn) is not on the PATH. To get it:"
  case $packager in
    '') echo "  unpack the binary archive from https://maven.apache.org/download.cgi and put its bin folder on the PATH" >&2 ;;
    *) echo "  $(install_command maven)" >&2 ;;
  esac
  exit 69
}

# --- building the command -----------------------------------------------------------------------------------------

# True where the staged command is missing, or any source that goes into it changed since it was built.
# Folders are compared too: a file that was removed or renamed counts.
doorbell_is_stale() {
  [ -e "$doorbell_app/built" ] && [ -e "$doorbell_app/current/lib" ] || return 0
  [ -n "$(find "$root"/pom.xml "$root"/*/pom.xml "$root"/providers/*/pom.xml "$root"/*/src/main "$root"/providers/*/src/main \
    "$root"/quality/conformance/pom.xml "$root"/quality/conformance/src/main \
    -newer "$doorbell_app/built" -print -quit 2> /dev/null)" ]
}

# One build at a time for all starts of this clone; the lock dies with the process that holds it.
lock_build() {
  mkdir -p "$doorbell_app" || exit 73
  if command -v flock > /dev/null; then
    exec 9> "$doorbell_app/lock"
    flock 9
  else
    until mkdir "$doorbell_app/lock.d" 2> /dev/null; do
      local owner=
      read -r owner 2> /dev/null < "$doorbell_app/lock.d/owner" || true
      if [ -n "$owner" ] && ! kill -0 "$owner" 2> /dev/null; then rm -rf "$doorbell_app/lock.d"; else sleep 0.2; fi
    done
    echo $$ > "$doorbell_app/lock.d/owner"
  fi
}

unlock_build() {
  if command -v flock > /dev/null; then exec 9>&-; else rm -rf "$doorbell_app/lock.d"; fi
}

# Each build gets a folder of its own, so that a command that is running keeps the jars it was started with.
stage_command() {
  local stage=$doorbell_app/app-$1 old
  rm -rf "$stage"
  mkdir -p "$stage"
  cp -R "$root/tools/target/app" "$stage/lib"
  cp "$root"/tools/target/doorbell-tools-*.jar "$stage/lib"
  for old in "$doorbell_app"/app-*; do
    [ "$old" -ef "$doorbell_app/current" ] || [ "$old" = "$stage" ] || rm -rf "$old"
  done
  ln -sfn "app-$1" "$doorbell_app/current.new"
  mv -f -T "$doorbell_app/current.new" "$doorbell_app/current" 2> /dev/null \
    || { rm -f "$doorbell_app/current"; mv -f "$doorbell_app/current.new" "$doorbell_app/current"; }
}

# An ahead-of-time cache makes a start as short as the JVM's own. Without one everything works, only slower.
# What the training run did starts fast; the tour on the embedded device does most.
train_command() {
  local app arguments limit=
  app=$doorbell_app/$(readlink "$doorbell_app/current")
  set_launch_options "$app"
  if command -v timeout > /dev/null; then limit='timeout 60'; fi
  for arguments in 'tour --device soft0' --version; do
    # shellcheck disable=SC2086
    if $limit "$jdk/bin/java" -XX:AOTCacheOutput="$app/doorbell.aot" -Xlog:disable -Xlog:all=off \
      "${launch_options[@]}" $arguments > "$app/training.log" 2>&1 < /dev/null 9>&-; then
      return 0
    fi
    rm -f "$app/doorbell.aot" "$app/doorbell.aot.config"
  done
}

# The options that every start has; they must be the same for the training run and for the use of its cache.
set_launch_options() {
  launch_options=(--enable-native-access=dev.doorbell.linux,dev.doorbell.libibverbs,dev.doorbell.memory -p "$1/lib" -m dev.doorbell.tools/dev.doorbell.tools.DoorbellCommand)
}

# Builds the command if it is missing or older than its sources. Needs `jdk`. Exits with 70 where the build fails.
build_command() {
  local log
  lock_build
  if doorbell_is_stale; then
    require_maven
    log=$doorbell_app/build.log
    say "building Doorbell (once)…"
    touch "$doorbell_app/building"
    rm -rf "$root/tools/target/app" "$root"/tools/target/doorbell-tools-*.jar
    if ! (cd "$root" && JAVA_HOME=$jdk mvn -q -B -pl tools -am -Dquick -Dmaven.test.skip package) > "$log" 2>&1 < /dev/null 9>&-; then
      tail -n 40 "$log" >&2
      say "the build failed; all of its output is in $log"
      exit 70
    fi
    stage_command "$$"
    mv -f "$doorbell_app/building" "$doorbell_app/built"
    train_command
  fi
  unlock_build
}
