"""Opens a session on a Staywire network with a signed request: python3 sign_request.py <network> <agent>"""
import base64, hashlib, json, pathlib, secrets, sys, time, urllib.error, urllib.parse, urllib.request
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

if len(sys.argv) < 3:
    print("usage: python3 sign_request.py https://stays.example https://agent.example", file=sys.stderr)
    sys.exit(2)
network, agent = (argument.rstrip("/") for argument in sys.argv[1:3])
key_file = pathlib.Path("signing-key.pem")

def base64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()

if not key_file.exists():  # Made once. Whoever has the private key is your assistant.
    form = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    key_file.touch(0o600)
    key_file.write_bytes(Ed25519PrivateKey.generate().private_bytes(*form))
private_key = serialization.load_pem_private_key(key_file.read_bytes(), None)
key = {"crv": "Ed25519", "kty": "OKP", "x": base64url(private_key.public_key().public_bytes_raw())}
# The thumbprint of RFC 7638: these members in this order, without blanks.
keyid = base64url(hashlib.sha256(json.dumps(key, separators=(",", ":")).encode()).digest())
# To be published at <agent>/.well-known/http-message-signatures-directory.
pathlib.Path("directory.json").write_text(json.dumps({"keys": [{**key, "kid": keyid, "use": "sig"}]}))

def signature_of(host):
    created, nonce = int(time.time()), secrets.token_urlsafe(32)
    covered, times = '("@authority" "signature-agent";key="sig1")', f"created={created};expires={created + 60}"
    params = f'{covered};{times};keyid="{keyid}";alg="ed25519";nonce="{nonce}";tag="web-bot-auth"'
    base = f'"@authority": {host}\n"signature-agent";key="sig1": "{agent}"\n"@signature-params": {params}'
    signature = base64.b64encode(private_key.sign(base.encode())).decode()
    return {"Signature-Agent": f'sig1="{agent}"', "Signature-Input": f"sig1={params}", "Signature": f"sig1=:{signature}:"}

host = urllib.parse.urlsplit(network).netloc.lower()  # as it is sent: without :443 for https
request = urllib.request.Request(f"{network}/ai/v1/auth", method="POST", headers=signature_of(host))
try:
    with urllib.request.urlopen(request) as answer:
        print(answer.status, answer.read().decode())
except urllib.error.HTTPError as refusal:
    print(refusal.code, refusal.read().decode())
