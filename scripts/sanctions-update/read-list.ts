import { existsSync } from 'node:fs'
import type { ListEntry, ListedName, ListOrigin } from '@bursar/contracts/sanctions'
import { sdnParser } from '../../services/sanctions/src/lists/parse-sdn'

/** A list file that was read completely. */
export interface ReadList extends ListOrigin {
  entries: ListEntry[]
  names: ListedName[]
  /** SHA-256 of the file, in hex. */
  checksum: string
}

const timeoutMs = 10 * 60 * 1000
const megabyte = 1024 * 1024
const progressBytes = 5 * megabyte

/** Reads OFAC's sdn.xml, a file or a URL, as a stream. Throws one sentence if it cannot be read or is incomplete. */
export async function readList(source: string, tell: (progress: string) => void): Promise<ReadList> {
  tell(`Reading ${source}`)
  const entries: ListEntry[] = []
  const names: ListedName[] = []
  const hasher = new Bun.CryptoHasher('sha256')
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const parser = sdnParser(
    (entry) => entries.push(entry),
    (name) => names.push(name),
  )
  let bytes = 0
  for await (const piece of await open(source)) {
    const before = bytes
    bytes += piece.byteLength
    hasher.update(piece)
    parser.write(decoder.decode(piece, { stream: true }))
    if (Math.floor(before / progressBytes) < Math.floor(bytes / progressBytes)) {
      tell(`  ${(bytes / megabyte).toFixed(0)} MB, ${entries.length} addresses`)
    }
  }
  parser.write(decoder.decode())
  const { publishedAt, records, addresses } = parser.end()
  const checksum = hasher.digest('hex')
  tell(`  ${(bytes / megabyte).toFixed(1)} MB, published ${publishedAt.slice(0, 10)}, SHA-256 ${checksum}`)
  tell(`  ${records} records, ${addresses} addresses, ${names.length} names`)
  return { name: 'OFAC SDN', source, publishedAt, entries, names, checksum }
}

async function open(source: string): Promise<AsyncIterable<Uint8Array>> {
  if (!/^https?:\/\//.test(source)) {
    if (!existsSync(source)) throw new Error(`There is no file ${source}`)
    return Bun.file(source).stream()
  }
  const response = await fetch(source, { signal: AbortSignal.timeout(timeoutMs) }).catch((cause: unknown) => {
    throw new Error(`${new URL(source).host} cannot be reached`, { cause })
  })
  if (!response.ok || !response.body) throw new Error(`${new URL(source).host} answered ${response.status}`)
  return response.body
}
