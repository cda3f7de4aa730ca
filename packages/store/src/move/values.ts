import { textOfUuid } from '../schema/columns'
import type { Stored } from './source'

/** A column of a table on the server. */
export interface Column {
  name: string
  /** The server's name of the type. */
  type: string
  /** Whether the server assigns its values. */
  isGiven: boolean
}

/** Converts a stored value to one text form for both engines, for comparing and sending. */
export type Form = (stored: Stored) => string

const text: Form = (stored) => String(stored).replaceAll('\0', '\u{fffd}')
const forms = new Map<string, Form>(
  Object.entries({
    // A server's text cannot hold character 0; it is replaced as in every write there.
    text,
    bigint: text,
    integer: text,
    numeric: text,
    boolean: (stored: Stored) => String(stored === 'true' || Number(stored) === 1),
    bytea: (stored: Stored) =>
      typeof stored === 'string' ? stored : Buffer.from(stored as Uint8Array).toString('hex'),
    // 16 bytes in a file.
    uuid: (stored: Stored) => (typeof stored === 'string' ? stored : textOfUuid(stored as Uint8Array)),
    'double precision': (stored: Stored) => String(Number(stored)),
  }),
)

/** Throws for a type that no column of a service has. */
export function formOf({ name, type }: Column): Form {
  const form = forms.get(type)
  if (!form) throw new Error(`The column ${name} is of type ${type}, which cannot be moved`)
  return form
}

/** SQL: the column as text that `formOf` turns into that form. */
export const textOf = ({ name, type }: Column): string =>
  type === 'bytea' ? `encode("${name}", 'hex')` : type === 'text' ? `"${name}"` : `"${name}"::text`

/** The text of a server array of such values. */
export function arrayOf({ type }: Column, values: readonly (string | null)[]): string {
  const start = type === 'bytea' ? '\\\\x' : ''
  const items = values.map((value) => (value === null ? 'NULL' : `"${start}${value.replaceAll(/["\\]/g, '\\$&')}"`))
  return `{${items.join(',')}}`
}

/** A summary of a table: equal for two tables with the same rows in any order. */
export interface Summary {
  rows: number
  /** The sum of the hashes of its rows. */
  checksum: string
  /** The sums of its amounts. */
  sums: Readonly<Record<string, string>>
}

/** Sums up rows. */
export function summing(columns: readonly Column[]) {
  const amounts = columns.flatMap(({ name, type }, place) => (type === 'numeric' ? [{ name, place, sum: 0n }] : []))
  let rows = 0
  let hashes = 0n
  return {
    add(row: readonly (string | null)[]) {
      rows += 1
      hashes += BigInt(`0x${Bun.CryptoHasher.hash('sha256', JSON.stringify(row), 'hex')}`)
      for (const each of amounts) each.sum += BigInt(row[each.place] ?? 0)
    },
    rows: () => rows,
    summary: (): Summary => ({
      rows,
      checksum: (hashes % 2n ** 256n).toString(16),
      sums: Object.fromEntries(amounts.map(({ name, sum }) => [name, String(sum)])),
    }),
  }
}
