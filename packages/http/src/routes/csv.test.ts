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
  const answer = await exported(of([row('a "b", c\nd', long)], [row('', '-1.50')]))
  expect(await answer.text()).toBe(
    `name,amount,at,open\r\n"a ""b"", c\nd",${long},2026-11-22T05:00:00.250Z,false\r\n,-1.50,2026-11-22T05:00:00.250Z,false\r\n`,
  )
})

test('text that a spreadsheet would compute is text', async () => {
  const hostile = ['=1+1', '+1', '-1+2', '@SUM(A1)', '\t=1', '\r=1', '＝1']
  const answer = await exported(of(hostile.map((name) => row(name))))
  const lines = (await answer.text()).split('2026-11-22T05:00:00.250Z,false\r\n').slice(0, -1)
  for (const line of lines.map((text) => text.replace('name,amount,at,open\r\n', ''))) expect(line).toMatch(/^"?'/)
})

test('a failure in mid-way breaks the table off', async () => {
  async function* failing() {
    yield [row('first')]
    throw new Error('The disk is gone')
  }
  const answer = await exported(failing())
  expect(answer.text()).rejects.toThrow()
})
