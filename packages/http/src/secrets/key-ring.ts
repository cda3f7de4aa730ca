import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Secrets } from '@bursar/contracts/secrets'
import { ConfigError } from '../settings/config-error'
import { type KeyLine, keyBytes, keyLines, readKeyFile } from './key-file'
import { sha256 } from './sha256'

/** A key of a ring. */
export interface Key {
  /** The first 32 bits of its SHA-256, hex: identifies it without revealing it. */
  readonly id: string
  readonly bytes: Buffer
  /** When it ends; null for the one in use, and one that is about to be. */
  readonly until: Date | null
}

/**
 * The keys of one purpose, from a file in the data folder or a setting. A change of the file is noticed within a
 * second, and at once by `refresh`.
 */
export interface KeyRing extends Secrets {
  /** The file's name: `quote.key`. */
  readonly name: string
  /** Its folder; null for the keys of a setting, which change only with a restart. */
  readonly folder: string | null
  /** Newest first: the first is in use. */
  keys(): readonly Key[]
  /** The key with this id, also one that another process has just generated; undefined if there is none. */
  find(id: string): Key | undefined
}

/** The source of a ring. */
interface RingSource {
  dataDir: string
  /** The file's name. */
  file: string
  /** The setting that replaces the file. It may have several keys, newest first, with commas or spaces between them. */
  given?: { name: string; value: string | undefined }
  /** False if several instances need the same keys: then none is generated, and a missing one is refused. */
  mayMake?: boolean
  /** Whether keys may be longer than 32 bytes. */
  mayBeLonger?: boolean
  /** With a clock, keys expire at their time; without, when they are removed from the file. */
  now?: () => Date
}

const lookMs = 1000

/** Opens a ring; a missing file is generated if allowed. Throws ConfigError if a key is malformed or missing. */
export function openKeyRing(source: RingSource): KeyRing {
  const { dataDir, file, given, mayMake = true, now } = source
  const place = join(dataDir, file)
  if (given?.value !== undefined) {
    const lines = given.value.split(/[\s,]+/).filter(Boolean)
    if (lines.length === 0) throw wrongKey(given.name)
    return ring(file, null, fixed(lines.map((key) => toKey({ key, until: null }, given.name, source))))
  }
  if (!mayMake && !existsSync(place)) throw missingKey(place, given?.name)
  let known = parsed(readKeyFile(dataDir, file), place, source)
  let version = versionOf(place)
  let live: readonly Key[] = known
  let lookedAt = performance.now()

  function look(): boolean {
    lookedAt = performance.now()
    const found = versionOf(place)
    if (found === null || found === version) return false
    try {
      known = parsed(readFileSync(place, 'utf8'), place, source)
    } catch {
      // If the file is gone or damaged, the known keys stay in use, and the doctor reports it.
      return false
    }
    version = found
    live = known
    return true
  }

  return ring(file, dataDir, {
    read() {
      if (performance.now() - lookedAt > lookMs) look()
      if (now && live.some(({ until }) => until && until <= now())) {
        const at = now()
        live = known.filter(({ until }) => until === null || until > at)
      }
      return live
    },
    look,
  })
}

/** A ring of one key that never changes. */
const onlyKey = (bytes: Buffer): KeyRing => ring('', null, fixed([{ id: idOf(bytes), bytes, until: null }]))

/** The ring itself, or one of this secret alone. */
export const ringOf = (secret: Uint8Array | KeyRing): KeyRing =>
  secret instanceof Uint8Array ? onlyKey(Buffer.from(secret)) : secret

interface Source {
  read(): readonly Key[]
  look(): boolean
}

const fixed = (keys: readonly Key[]): Source => ({ read: () => keys, look: () => false })

function ring(name: string, folder: string | null, { read, look }: Source): KeyRing {
  let listed: { keys: readonly Key[]; bytes: readonly Uint8Array[] } = { keys: [], bytes: [] }
  const byId = (id: string) => read().find((key) => key.id === id)
  return {
    name,
    folder,
    keys: read,
    find: (id) => byId(id) ?? (look() ? byId(id) : undefined),
    all() {
      const keys = read()
      if (keys !== listed.keys) listed = { keys, bytes: keys.map(({ bytes }) => bytes) }
      return listed.bytes
    },
    refresh: look,
  }
}

/** Replacing a file gives it another inode. */
function versionOf(file: string): string | null {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false })
  return found ? `${found.ino} ${found.mtimeNs} ${found.size}` : null
}

function parsed(text: string, from: string, source: RingSource): Key[] {
  const lines = keyLines(text)
  if (!lines) throw wrongKey(from)
  return lines.map((line) => toKey(line, from, source))
}

function toKey({ key, until }: KeyLine, from: string, { mayBeLonger = false }: RingSource): Key {
  const bytes = Buffer.from(key, 'base64')
  if (bytes.length < keyBytes) throw wrongKey(from, mayBeLonger)
  if (bytes.length > keyBytes && !mayBeLonger) throw wrongKey(from)
  return { id: idOf(bytes), bytes, until }
}

const idOf = (bytes: Uint8Array): string => sha256(bytes).slice(0, 8)

/** With DATABASE_URL, all instances must have the same key. */
const missingKey = (place: string, name: string | undefined): ConfigError =>
  new ConfigError(
    `${place} is missing${name ? `, and ${name} is not set` : ''}: with DATABASE_URL all instances need the same, so it is not made here (openssl rand -base64 32)`,
  )

const wrongKey = (from: string, mayBeLonger = false): ConfigError =>
  new ConfigError(
    `${from} must hold ${mayBeLonger ? 'at least ' : ''}${keyBytes} bytes in base64 (openssl rand -base64 32)`,
  )
