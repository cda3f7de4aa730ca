import { HARDENED_OFFSET, HDKey } from '@scure/bip32'
import { HDKey as EdKey } from 'micro-key-producer/slip10.js'
import { evmAddress, solanaAddress } from './addresses'
import { ed25519PublicKey, secp256k1PublicKey, signEd25519, signSecp256k1 } from './curves'
import { hotPlace, type KeyPlace } from './key-place'

/** The curve, path and address form of a network. */
export type KeyFamily = 'evm' | 'solana'

/** The keys of the deployment. Private ones never leave this process, nor the functions below. */
export interface Keys {
  /** Tells one seed from another: the first EVM address of the tree, as any wallet program shows it. */
  readonly fingerprint: string
  addressOf(family: KeyFamily, place: KeyPlace): string
  /** The secp256k1 signature of a 32-byte hash (RFC 6979, low s): recovery bit, r, s. */
  signHash(place: KeyPlace, hash: Uint8Array): Uint8Array
  /** The ed25519 signature of a message, 64 bytes. */
  signMessage(place: KeyPlace, message: Uint8Array): Uint8Array
  /** Zeroes the keys in memory; they cannot be used any more. */
  close(): void
}

/** The number of keys that are kept, of half a kilobyte each: to derive one takes five times as long as to sign with it. */
const mostKept = 8192

/** A private key, and its address once that was asked for. */
interface Kept {
  key: Uint8Array
  address: string | null
}

/**
 * The tree of a BIP-39 seed (64 bytes, which the caller may zero afterwards): EVM keys at m/44'/60'/account'/0/index
 * (BIP-32, BIP-44), Solana keys at m/44'/501'/account'/index' (SLIP-10). Only the two nodes above the accounts are
 * kept.
 */
export function createKeys(seed: Uint8Array, most = mostKept): Keys {
  const nodes = { evm: evmNode(seed), solana: solanaNode(seed) }
  /** By family and place, the least recently used one first. */
  const kept = new Map<string, Kept>()
  let closed = false

  function keptAt(family: KeyFamily, place: KeyPlace): Kept {
    if (closed) throw new Error('The keys are closed')
    const name = nameOf(family, place)
    const known = kept.get(name)
    if (known) {
      kept.delete(name)
      kept.set(name, known)
      return known
    }
    for (const [oldest, { key }] of kept) {
      if (kept.size < most) break
      key.fill(0)
      kept.delete(oldest)
    }
    const key = family === 'evm' ? evmKey(nodes.evm, place) : solanaKey(nodes.solana, place)
    const derived = { key, address: null }
    kept.set(name, derived)
    return derived
  }

  function addressOf(family: KeyFamily, place: KeyPlace): string {
    const at = keptAt(family, place)
    at.address ??= family === 'evm' ? evmAddress(secp256k1PublicKey(at.key)) : solanaAddress(ed25519PublicKey(at.key))
    return at.address
  }

  return {
    fingerprint: addressOf('evm', hotPlace),
    addressOf,
    signHash: (place, hash) => signSecp256k1(keptAt('evm', place).key, hash),
    signMessage: (place, message) => signEd25519(keptAt('solana', place).key, message),
    close() {
      closed = true
      for (const { key } of kept.values()) key.fill(0)
      kept.clear()
      nodes.evm.wipePrivateData()
      wipe(nodes.solana)
    },
  }
}

const nameOf = (family: KeyFamily, { account, index }: KeyPlace) => `${family}/${account}/${index}`

function evmNode(seed: Uint8Array): HDKey {
  const master = HDKey.fromMasterSeed(seed)
  const node = master.derive("m/44'/60'")
  master.wipePrivateData()
  return node
}

function solanaNode(seed: Uint8Array): EdKey {
  const master = EdKey.fromMasterSeed(seed)
  const node = master.derive("m/44'/501'")
  wipe(master)
  return node
}

function evmKey(node: HDKey, { account, index }: KeyPlace): Uint8Array {
  const steps = [node]
  for (const step of [account + HARDENED_OFFSET, 0, index]) steps.push((steps.at(-1) ?? node).deriveChild(step))
  const key = steps.at(-1)?.privateKey
  if (!key) throw new Error('A node without its private key cannot be derived from')
  const copy = Uint8Array.from(key)
  for (const step of steps.slice(1)) step.wipePrivateData()
  return copy
}

function solanaKey(node: EdKey, { account, index }: KeyPlace): Uint8Array {
  const parent = node.deriveChild(account + HARDENED_OFFSET)
  const child = parent.deriveChild(index + HARDENED_OFFSET)
  const copy = Uint8Array.from(child.privateKey)
  wipe(parent)
  wipe(child)
  return copy
}

function wipe(node: EdKey): void {
  node.privateKey.fill(0)
  node.chainCode.fill(0)
}
