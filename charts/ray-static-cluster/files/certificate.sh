# Makes this pod's certificate from the cluster's authority. Ray's processes call each other by address.
set -eu
cd /etc/ray/tls
umask 077
cat > request.cnf <<END
[req]
distinguished_name = name
req_extensions = san
prompt = no
[name]
CN = ray
[san]
subjectAltName = IP:127.0.0.1,IP:$POD_IP,DNS:localhost,DNS:$SERVICE,DNS:$SERVICE.cluster.local
END
openssl req -newkey rsa:2048 -nodes -keyout tls.key -config request.cnf -out request.csr
openssl x509 -req -in request.csr -CA /etc/ray/authority/ca.crt -CAkey /etc/ray/authority/ca.key -set_serial "0x$(openssl rand -hex 16)" \
  -days 365 -sha256 -extfile request.cnf -extensions san -out tls.crt
cp /etc/ray/authority/ca.crt ca.crt
rm request.csr request.cnf
