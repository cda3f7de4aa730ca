// Whoever can write to the gateway's file can drop its triggers. What was changed or cut off then is found all the same.

import { Database, type SQLQueryBindings } from 'bun:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { silentLog } from '@bursar/contracts/log'
import { eq, openReadOnly, openStore } from '@bursar/store'
import { tempDir } from '@bursar/testing'
import { auditTrail } from '../../services/gateway/src/audit-trail/audit-trail.table'
import { type AuditRow, hashOf } from '../../services/gateway/src/audit-trail/chain'
import { appendRow, verifyTrail } from '../../services/gateway/src/audit-trail/trail'
import { createTrailCheck } from '../../services/gateway/src/audit-trail/trail-check'
import { migrations } from '../../services/gateway/src/service'

let store: Awaited<ReturnType<typeof openStore>>
let file: string
beforeEach(async () => {
  file = join(tempDir(), 'gateway.sqlite')
  store = await openStore({ service: 'gateway', file, migrations })
})
afterEach(() => store?.close())

/** Rows with all that a row can have. */
const write = (count: number) =>
  store.commit(async (tx) => {
    for (let i = 0; i < count; i++) {
      await appendRow(tx, {
        actId: Bun.randomUUIDv7(),
        step: 'answered',
        at: new Date('2026-03-01T12:00:00.000Z'),
        door: 'api',
        actor: 'an administrator',
        roles: 'admin',
        session: 'a session',
        address: '127.0.0.1',
        service: 'core-ledger',
        action: 'POST /transactions/:transactionId/approve',
        object: 'a withdrawal',
        status: 200,
        requestId: 'req-1',
        detail: '{"answer":{"status":"APPROVED"}}',
      })
    }
  })

/** Writes past the service. */
function tamper(sql: string, ...values: SQLQueryBindings[]): void {
  const database = new Database(file)
  const triggers = database.query(`SELECT name FROM sqlite_master WHERE type = 'trigger'`).all() as { name: string }[]
  for (const { name } of triggers) database.run(`DROP TRIGGER ${name}`)
  database.run(sql, values)
  database.close()
}

/** As `bun run audit` looks: by a connection of its own. */
async function verified() {
  const reader = openReadOnly(file)
  const found = await verifyTrail(reader)
  reader.close()
  return found
}

const columns = (): { name: string; type: string }[] => {
  const database = new Database(file, { readonly: true })
  const found = database.query('PRAGMA table_info(audit_trail)').all() as { name: string; type: string }[]
  database.close()
  return found
}

function cellOf(column: string, number: number): SQLQueryBindings {
  const database = new Database(file, { readonly: true })
  const row = database.query(`SELECT ${column} AS value FROM audit_trail WHERE number = ${number}`).get()
  database.close()
  return (row as { value: SQLQueryBindings }).value
}

describe('the chain', () => {
  test('is whole while nobody writes to it', async () => {
    await write(3)
    expect(await verified()).toMatchObject({ intact: true, rows: 3, problem: null })
  })

  test('shows any column of any row that was changed, the last one too', async () => {
    await write(2)
    const written = columns()
    expect(written.length).toBeGreaterThan(15)
    for (const { name, type } of written) {
      for (const number of [1, 2]) {
        const at = name === 'number' ? 100 + number : number
        const before = cellOf(name, number)
        tamper(`UPDATE audit_trail SET ${name} = ? WHERE number = ${number}`, /int/i.test(type) ? 100 + number : 'else')
        expect([name, number, (await verified()).intact]).toEqual([name, number, false])
        tamper(`UPDATE audit_trail SET ${name} = ? WHERE number = ${at}`, before)
        expect([name, number, await verified()]).toMatchObject([name, number, { problem: null }])
      }
    }
  })

  test('shows which row is not as it was written', async () => {
    await write(3)
    tamper(`UPDATE audit_trail SET detail = '{"answer":{"status":"REJECTED"}}' WHERE number = 2`)
    expect((await verified()).problem).toBe('Row 2 is not as it was written')
  })

  test('a row that was changed and sealed anew does not fit the next one, nor the next one once that names it', async () => {
    await write(3)
    const detail = '{"answer":{"status":"REJECTED"}}'
    const row = await store.read.select().from(auditTrail).where(eq(auditTrail.number, 2))
    const forged = hashOf({ ...(row[0] as AuditRow), detail })
    tamper('UPDATE audit_trail SET detail = ?, hash = ? WHERE number = 2', detail, forged)
    expect((await verified()).problem).toBe('Row 3 does not follow from row 2: one of them was changed')
    tamper('UPDATE audit_trail SET previous_hash = ? WHERE number = 3', forged)
    expect((await verified()).problem).toBe('Row 3 is not as it was written')
  })

  test('numbers that were cut off are not given again: the gap stays', async () => {
    await write(4)
    tamper('DELETE FROM audit_trail WHERE number > 2')
    expect((await verified()).problem).toBe('Rows 3 to 4 are missing')
    await write(2)
    expect(await verified()).toMatchObject({
      intact: false,
      problem: 'Row 3 is missing: row 5 follows row 2',
    })
  })

  test('also where all rows were cut off', async () => {
    await write(2)
    tamper('DELETE FROM audit_trail')
    await write(1)
    expect((await verified()).problem).toBe('Row 1 is missing: row 3 follows row 0')
  })
})

describe('the check that goes on beside the server', () => {
  const checkOf = () => createTrailCheck({ store, log: silentLog, metrics: { add() {} }, now: () => new Date() }, 0)

  test('does not forget a break while the next pass has not come to it', async () => {
    await write(250)
    tamper(`UPDATE audit_trail SET status = 403 WHERE number = 150`)
    const check = checkOf()
    expect(await check.goOn()).toMatchObject({ intact: true, isComplete: false, rows: 100 })
    const problem = 'Row 150 is not as it was written'
    expect(await check.goOn()).toMatchObject({ intact: false, isComplete: true, problem })
    // The next pass, whose first hundred rows are as they were.
    expect(await check.goOn()).toMatchObject({ intact: false, problem })
  })

  test('a pass that finds none ends the alarm', async () => {
    await write(150)
    tamper(`UPDATE audit_trail SET status = 403 WHERE number = 120`)
    const check = checkOf()
    while (!(await check.goOn()).problem);
    tamper(`UPDATE audit_trail SET status = 200 WHERE number = 120`)
    expect((await check.goOn()).problem).not.toBeNull()
    while ((await check.goOn()).problem);
    expect(await check.goOn()).toMatchObject({ intact: true })
  })
})
