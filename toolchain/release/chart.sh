#!/bin/sh
# chart.sh VERSION IMAGE REPOSITORY [OPTIONS OF HELM PUSH]: packages the chart of the service with its image, and pushes it.
set -eu
version=$1 image=$2 repository=$3
shift 3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp -R "$(dirname "$0")/../../charts/service" "$folder/service"
sed -i.old "s|^image: \"\"\$|image: \"$image\"|" "$folder/service/values.yaml"
rm "$folder/service/values.yaml.old"
grep -q "^image: \"$image\"\$" "$folder/service/values.yaml"
helm package "$folder/service" --version "$version" --app-version "$version" --destination "$folder"
helm push "$folder/service-$version.tgz" "$repository" "$@"
