import { readFileSync } from 'node:fs'
import { Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption'
import { writePrivate } from './contents'

/** What the name of an encrypted file ends with. */
export const encryptedEnd = '.age'

/** Encrypts one text after another for whoever has one of the keys of `recipients`. Throws for one that is no age key. */
export function encrypterFor(recipients: readonly string[]): Encrypter {
  const encrypter = new Encrypter()
  for (const recipient of recipients) {
    try {
      encrypter.addRecipient(recipient)
    } catch {
      throw new Error(`"${recipient}" is no public key of age: one begins with age1`)
    }
  }
  return encrypter
}

/** Decrypts by the keys in a file as age-keygen writes it: one in a line, comments begin with #. */
export function decrypterFrom(file: string): Decrypter {
  const lines = readFileSync(file, 'utf8').split(/\r?\n/)
  const keys = lines.map((line) => line.trim()).filter((line) => line !== '' && !line.startsWith('#'))
  if (keys.length === 0) throw new Error(`${file} has no key`)
  const decrypter = new Decrypter()
  for (const key of keys) {
    try {
      decrypter.addIdentity(key)
    } catch {
      // The line itself may be most of a key.
      throw new Error(`${file} has a line that is no key of age: a key begins with AGE-SECRET-KEY-`)
    }
  }
  return decrypter
}

/** Writes the encrypted form of a file into a new one, for its owner alone. */
export async function encryptFile(encrypter: Encrypter, from: string, to: string): Promise<void> {
  await writePrivate(to, await encrypter.encrypt(Bun.file(from).stream()))
}

/** Throws when the file is for another key, or is not as it was encrypted. */
export async function decryptFile(decrypter: Decrypter, from: string, to: string): Promise<void> {
  try {
    await writePrivate(to, await decrypter.decrypt(Bun.file(from).stream()))
  } catch (error) {
    throw new Error(`${from} cannot be decrypted: ${error instanceof Error ? error.message : error}`)
  }
}

/** A new pair of keys: the file's text, as age-keygen writes it, and the public one. */
export async function newKey(now: Date): Promise<{ text: string; recipient: string }> {
  const identity = await generateX25519Identity()
  const recipient = await identityToRecipient(identity)
  return { text: `# created: ${now.toISOString()}\n# public key: ${recipient}\n${identity}\n`, recipient }
}
