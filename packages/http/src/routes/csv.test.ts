import { afterAll, expect, test } from 'bun:test'
import { silentLog } from '@bursar/contracts/log'
import { csvResponse } from './csv'

interface Row {
  name: string
  amount: string | null
  at: Date
  isOpen: boolean
}

const columns = {
  name: ({ name }: Row) => name,
  amount: ({ amount }: Row) => amount,
  at: ({ at }: Row) => at,
  open: ({ isOpen }: Row) => isOpen,
}
const at = new Date('2026-11-22T05:00:00.250Z')
const row = (name: string, amount: string | null = null): Row => ({ name, amount, at, isOpen: false })

let respond: () => Response
const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => respond(), error: () => new Response(null) })
afterAll(() => server.stop(true))

async function exported(chunks: AsyncGenerator<Row[]>) {
  respond = () => csvResponse({ name: 'rows', columns, chunks, log: silentLog })
  return await fetch(server.url)
}

async function* of(...chunks: Row[][]) {
  yield* chunks
}

test('a table has its names first, also when it is empty', async () => {
  const answer = await exported(of())
  expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present')
  expect(answer.headers.get('content-disposition')).toBe('attachment; filename="rows.csv"')
  expect(await answer.text()).toBe('name,amount,at,open\r\n')
})

test('cells are quoted where they must be; numbers keep every digit', async () => {
  const long = '123456789012345678901234567890.000000000000000001'
  const answer = await exported(of([row('a "b", c\nd', long)], [row('', '-1.50'), row('a;b'), row('a\tb')]))
  const [end, none] = [',2026-11-22T05:00:00.250Z,false\r\n', ',,2026-11-22T05:00:00.250Z,false\r\n']
  expect(await answer.text()).toBe(
    `name,amount,at,open\r\n"a ""b"", c\nd",${long}${end},-1.50${end}"a;b"${none}"a\tb"${none}`,
  )
})

test('text that a spreadsheet would compute is text', async () => {
  const hostile = ['=1+1', '+1', '-1+2', '@SUM(A1)', '\t=1', '\r=1', '＝1']
  const answer = await exported(of(hostile.map((name) => row(name))))
  const lines = (await answer.text()).split('2026-11-22T05:00:00.250Z,false\r\n').slice(0, -1)
  for (const line of lines.map((text) => text.replace('name,amount,at,open\r\n', ''))) expect(line).toMatch(/^"?'/)
})

/** Reads a table as RFC 4180 has it. Throws for what it does not allow: line breaks and quotes outside of quotes. */
function parsed(text: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  let read = 0
  for (const [whole, quoted, plain = '', end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/gy)) {
    row.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'))
    read += whole.length
    if (end !== '\r\n') continue
    rows.push(row)
    row = []
  }
  if (read === text.length && row.length === 0) return rows
  throw new Error(`This is no table: ${JSON.stringify(text.slice(read, read + 100))}`)
}

/** Every text of up to three of these characters. */
function allTexts(): string[] {
  const characters = ['\n', '\r', '"', ',', ';', '=', '+', '-', '@', '\t', ' ', "'", '1', 'é', '💥']
  const longer = (texts: string[]) => texts.flatMap((text) => characters.map((character) => text + character))
  const one = longer([''])
  const two = longer(one)
  return ['', ...one, ...two, ...longer(two)]
}

test('whatever a text holds, it is one cell, and none that a spreadsheet computes', async () => {
  const names = allTexts()
  const [, ...rows] = parsed(await (await exported(of(names.map((name) => row(name, 'end'))))).text())
  expect(rows).toHaveLength(names.length)
  for (const [i, cells] of rows.entries()) {
    const name = names[i] ?? ''
    const [cell = ''] = cells
    const isComputed = /^\s*[=+\-@]/.test(name) && !/^-\d+$/.test(name)
    // Where a semicolon or a tab parts cells, the text behind it is a cell as well.
    const inside = name.replaceAll(/(?<=[;\t]\s*)(?=[=+\-@])/g, "'")
    expect([cells.length, cells[1], [inside, `'${inside}`].includes(cell)]).toEqual([4, 'end', true])
    if (isComputed) expect(cell).toBe(`'${inside}`)
  }
})

test('a chunk without rows is not the end', async () => {
  const answer = await exported(of([], [row('a')], [], [row('b')]))
  const line = (name: string) => `${name},,2026-11-22T05:00:00.250Z,false\r\n`
  expect(await answer.text()).toBe(`name,amount,at,open\r\n${line('a')}${line('b')}`)
})

test('a failure in mid-way breaks the table off', async () => {
  async function* failing() {
    yield [row('first')]
    throw new Error('The disk is gone')
  }
  const answer = await exported(failing())
  expect(answer.text()).rejects.toThrow()
})
