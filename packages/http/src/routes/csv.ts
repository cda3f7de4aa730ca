import type { Log } from '@bursar/contracts/log'
import { stringify } from 'csv-stringify/sync'
import { textStream } from './text-stream'

type Cell = string | number | bigint | boolean | Date | null | undefined

/** The columns of a table by their headings, in order. */
export type CsvColumns<T> = Readonly<Record<string, (row: T) => Cell>>

/** The columns of fields, each under the field's own name. */
export const fieldColumns = <T extends object>(...names: CellField<T>[]): CsvColumns<T> =>
  Object.fromEntries(names.map((name) => [name, (row: T) => row[name] as Cell]))

type CellField<T> = { [K in keyof T]-?: T[K] extends Cell ? K : never }[keyof T] & string

const contentType = 'text/csv; charset=utf-8; header=present'

/**
 * A list of any length as a file for spreadsheets (RFC 4180), a chunk at a time. Times are ISO 8601 in UTC, null
 * is empty. Text that a spreadsheet would treat as a formula gets an apostrophe before it: references and names come
 * from outside. The same behind a semicolon or a tab, which separate cells where the comma is the decimal mark.
 * `name`: the file's name without its extension.
 */
export function csvResponse<T>({
  name,
  columns,
  chunks,
  log,
}: {
  name: string
  columns: CsvColumns<T>
  chunks: AsyncGenerator<T[]>
  log: Log
}): Response {
  return new Response(textStream(lines(columns, chunks), log), {
    headers: { 'content-type': contentType, 'content-disposition': `attachment; filename="${name}.csv"` },
  })
}

async function* lines<T>(columns: CsvColumns<T>, chunks: AsyncGenerator<T[]>): AsyncGenerator<string> {
  try {
    yield csv([Object.keys(columns)])
    const cells = Object.values(columns)
    for await (const rows of chunks) yield csv(rows.map((row) => cells.map((cell) => cell(row))))
  } finally {
    await chunks.return(undefined)
  }
}

const csv = (rows: Cell[][]): string =>
  stringify(rows, {
    record_delimiter: 'windows',
    // The package quotes only its own separators; other programs have others.
    quoted_match: /[\r\n;\t]/,
    escape_formulas: true,
    cast: {
      boolean: String,
      date: (value) => value.toISOString(),
      string: (value) => {
        if (isNumber.test(value)) return { value, escape_formulas: false }
        const text = /[;\t]/.test(value) ? value.replaceAll(behindSeparator, "'") : value
        // Spreadsheets trim whitespace before a formula; the package checks only the first character.
        return isIndented.test(value) ? { value: `'${text}`, escape_formulas: false } : text
      },
    },
  })

/** A formula behind spaces or line breaks. */
const isIndented = /^\s+[=+\-@]/

/** Before a formula that follows a separator of other programs. */
const behindSeparator = /(?<=[;\t]\s*)(?=[=+\-@])/g

/** A number: no formula. */
const isNumber = /^-\d+(?:\.\d+)?$/

/** Documents this answer in a route's `detail`: `detail: { summary: 'Export …', responses: csvAnswer('…') }`. */
export const csvAnswer = (example: string) => ({
  200: {
    description:
      'A table with a line of names first, by RFC 4180; text that looks like a formula has an apostrophe before it',
    content: { 'text/csv': { schema: { type: 'string' as const }, example } },
  },
})
