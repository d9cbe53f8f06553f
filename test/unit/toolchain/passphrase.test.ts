import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { layoutOf } from "../../../toolchain/yard/layout";
import { ensurePassphrase, PASSPHRASE } from "../../../toolchain/yard/passphrase";
import { decrypt, secretsKey, reencrypted, saltIn } from "../../../toolchain/yard/pulumiSecrets";

const CHECKOUT = path.join(__dirname, "../../..");

describe("the passphrase of local yards", () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "stackyard-passphrase-"));
  const layout = layoutOf(path.join(folder, ".yard"));
  const at = (...parts: string[]): string => path.join(folder, ...parts);
  const write = (file: string, text: string): void => {
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, text);
  };
  const read = (file: string): string => fs.readFileSync(file, "utf8");
  const shipped = saltIn(read(path.join(CHECKOUT, "Pulumi.dev.yaml"))) ?? "";
  // Salts of the passphrases "own" and "foreign", as Pulumi writes them.
  const own = "v1:mwhzY+kOUjc=:v1:CLkSHoO2j0RQh8qV:IcgxcA98AjS4R1TiShe6W7/IZocWgQ==";
  const foreign = "v1:Jnw+GWEDejo=:v1:mZkYB144NCVqfB6Q:hB9cZamreUIt2FKYvc67uA5d/yGoag==";
  const key = (passphrase: string, salt: string): Buffer =>
    secretsKey(passphrase, salt) ?? assert.fail("it does not fit");
  /** A text with a secret of a passphrase: the word of its salt is one. */
  const secretOf = (salt: string): string => /v1:[^:]+:[^:]+$/.exec(salt)?.[0] ?? "";

  after(() => fs.rmSync(folder, { recursive: true, force: true }));

  it("fits the salt of the committed Pulumi.dev.yaml", () => {
    assert.ok(secretsKey(PASSPHRASE, shipped));
    assert.equal(secretsKey("another", shipped), undefined);
  });

  it("replaces a yard's own passphrase in its secrets, and keeps other secrets", () => {
    const state = path.join(layout.state, ".pulumi/stacks/stackyard/dev.json");
    const [stack, others] = [at("runtime/Pulumi.acme.yaml"), at("Pulumi.prod.yaml")];
    write(at("Pulumi.dev.yaml"), `encryptionsalt: ${shipped}\nconfig: {}\n`);
    write(layout.passphrase, "own\n");
    write(stack, `config:\n  a: { secure: "${secretOf(own)}" }\nencryptionsalt: "${own}"\n`);
    write(state, JSON.stringify({ salt: own, outputs: [{ ciphertext: secretOf(own) }, { plain: "v1" }] }));
    const other = `encryptionsalt: ${foreign}\nconfig: {a: {secure: "${secretOf(foreign)}"}}\n`;
    write(others, other);

    ensurePassphrase(folder, layout);
    assert.equal(read(layout.passphrase).trim(), PASSPHRASE);
    assert.equal(read(others), other);
    for (const file of [stack, state]) {
      assert.equal(saltIn(read(file)), shipped);
      const rest = read(file).replace(shipped, "");
      const secret = /v1:[^:"]+:[^:"]+/.exec(rest)?.[0] ?? "";
      assert.equal(decrypt(key(PASSPHRASE, shipped), secret), "pulumi");
    }
    assert.equal(read(`${layout.passphrase}.before`).trim(), "own");
    assert.equal(fs.statSync(state).mode & 0o777, 0o600);
  });

  it("does not replace another passphrase if a secret cannot be decrypted", () => {
    const to = { key: key(PASSPHRASE, shipped), salt: shipped };
    const text = `encryptionsalt: ${own}\nconfig: {a: {secure: "${secretOf(foreign)}"}}\n`;
    assert.throws(() => reencrypted(text, key("own", own), to), /another passphrase/);
  });

  it("does not replace another passphrase if Pulumi.dev.yaml has another salt", () => {
    write(at("Pulumi.dev.yaml"), `encryptionsalt: ${foreign}\nconfig: {}\n`);
    write(layout.passphrase, "own\n");
    ensurePassphrase(folder, layout);
    assert.equal(read(layout.passphrase).trim(), "own");
  });
});
