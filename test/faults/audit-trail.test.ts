// The audit trail when somebody changes its file, when it cannot be written, and when the gateway dies between two rows.
import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { copyFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { silentLog } from '@bursar/contracts/log'
import { openReadOnly } from '@bursar/store'
import { tempDir } from '@bursar/testing'
import { checkTrail } from '../../scripts/audit/audit-trail'
import { knownPlaceOf } from '../../scripts/stack/place'
import { type AuditRow, hashOf } from '../../services/gateway/src/audit-trail/chain'
import { verifyTrail } from '../../services/gateway/src/audit-trail/trail'
import { createTrailCheck } from '../../services/gateway/src/audit-trail/trail-check'
import { openGateway, type TestGateway } from '../../services/gateway/test/harness'
import { echo } from '../../services/gateway/test/peers'

const path = '/quote/v1/assets'

let gateway: TestGateway
let file: string
let tenRows: string
let staff: { authorization: string }
beforeAll(async () => {
  gateway = await openGateway({ UPSTREAM_TIMEOUT_MS: '60000' })
  file = join(gateway.platform.dataDir, 'gateway.sqlite')
  staff = await gateway.user({ roles: ['admin'] })
  for (let n = 0; n < 5; n++) await gateway.post(path, { code: `A${n}` }, staff)
  tenRows = copyNow()
})
beforeEach(() => gateway.quote.answer(echo))
afterAll(() => gateway?.close())

/** A copy of the database as it is now. */
function copyNow(): string {
  const copy = join(tempDir(), 'gateway.sqlite')
  const source = new Database(file)
  source.run('PRAGMA wal_checkpoint(TRUNCATE)')
  source.close()
  copyFileSync(file, copy)
  return copy
}

async function check(copy = copyNow()) {
  const reader = openReadOnly(copy)
  const found = await verifyTrail(reader)
  reader.close()
  return found
}

/** What the check says of ten rows after what somebody who owns the file can do to them. */
async function tampered(statements: readonly string[]) {
  const copy = join(tempDir(), 'gateway.sqlite')
  copyFileSync(tenRows, copy)
  const database = new Database(copy)
  for (const statement of statements) database.run(statement)
  database.close()
  return await check(copy)
}

const freed = ['update', 'delete', 'replace'].map((act) => `DROP TRIGGER audit_trail_refuses_${act}`)

describe('the file refuses', () => {
  test.each([
    "UPDATE audit_trail SET actor = 'x' WHERE number = 1",
    'DELETE FROM audit_trail WHERE number = 1',
    'DELETE FROM audit_trail',
    'REPLACE INTO audit_trail SELECT * FROM audit_trail WHERE number = 1',
    "INSERT OR REPLACE INTO audit_trail SELECT number, act_id, step, at, door, 'x', roles, session, address, service, action, object, status, request_id, detail, previous_hash, hash FROM audit_trail WHERE number = 2",
  ])('%s', (statement) => {
    const database = new Database(file)
    expect(() => database.run(statement)).toThrow('append-only')
    database.close()
  })
})

describe('the check finds', () => {
  test('nothing where nothing was changed', async () => {
    expect(await tampered([])).toMatchObject({ intact: true, rows: 10, problem: null, unanswered: 0 })
  })

  const columns = [
    'actor',
    'roles',
    'session',
    'address',
    'service',
    'action',
    'object',
    'status',
    'request_id',
    'detail',
    'step',
    'door',
    'act_id',
    'at',
  ]
  test.each(columns)('a row whose %s was changed', async (column) => {
    const value = ['status', 'at'].includes(column) ? '7' : `'changed'`
    const found = await tampered([...freed, `UPDATE audit_trail SET ${column} = ${value} WHERE number = 4`])
    expect(found).toMatchObject({ intact: false, rows: 3, problem: 'Row 4 is not as it was written' })
  })

  test('a row that was taken out, and the numbers closed up behind it', async () => {
    const out = [...freed, 'DELETE FROM audit_trail WHERE number = 3']
    expect((await tampered(out)).problem).toBe('Row 3 is missing: row 4 follows row 2')
    const closedUp = [...out, 'UPDATE audit_trail SET number = number - 1 WHERE number > 3']
    expect((await tampered(closedUp)).problem).toBe('Row 3 does not follow from row 2: one of them was changed')
  })

  test('rows that were cut off at the end, also when others came after them', async () => {
    const cut = [...freed, 'DELETE FROM audit_trail WHERE number > 8']
    expect((await tampered(cut)).problem).toBe('Rows 9 to 10 are missing')
    expect((await tampered([...freed, 'DELETE FROM audit_trail'])).problem).toBe('Rows 1 to 10 are missing')
  })

  test('a row that was put in', async () => {
    const forged = `INSERT INTO audit_trail SELECT 11, act_id, step, at, door, actor, roles, session, address, service, action,
      object, status, request_id, detail, hash, hash FROM audit_trail WHERE number = 10`
    expect((await tampered([forged])).problem).toBe('Row 11 is not as it was written')
  })
})

describe('an act', () => {
  /** From outside, as a full disk would: no row can be written any more. */
  const block = (isBlocked: boolean) => {
    const database = new Database(file)
    database.run('PRAGMA busy_timeout = 5000')
    const refuse = "CREATE TRIGGER full BEFORE INSERT ON audit_trail BEGIN SELECT RAISE(ABORT, 'full'); END"
    database.run(isBlocked ? refuse : 'DROP TRIGGER full')
    database.close()
  }
  const seen = () => gateway.quote.requests.filter(({ method }) => method === 'POST').length

  test('is refused and not sent on when it cannot be written down', async () => {
    const before = seen()
    block(true)
    try {
      const { status, body } = await gateway.post(path, { code: 'B' }, staff)
      expect([status, body.error.message]).toEqual([503, 'The action cannot be recorded in the audit trail right now'])
      expect(seen()).toBe(before)
      gateway.main.issue('sk_test_trail', { participantId: Bun.randomUUIDv7() })
      expect((await gateway.post(path, {}, { 'x-api-key': 'sk_test_trail' })).status).toBe(200)
    } finally {
      block(false)
    }
    expect((await gateway.post(path, { code: 'B' }, staff)).status).toBe(200)
  })

  test('that was carried out is answered as such, also when its end cannot be written down', async () => {
    const { unanswered } = await check()
    gateway.quote.answer(() => {
      block(true)
      return Response.json({ id: 'made' }, { status: 201 })
    })
    try {
      expect((await gateway.post(path, { code: 'C' }, staff)).status).toBe(201)
    } finally {
      block(false)
    }
    expect(await check()).toMatchObject({ intact: true, unanswered: unanswered + 1 })
  })

  test('that is under way when the gateway is killed stays there without an answer, and the chain goes on', async () => {
    const { unanswered } = await check()
    const asked = Promise.withResolvers<void>()
    const answer = Promise.withResolvers<Response>()
    gateway.quote.answer(() => {
      asked.resolve()
      return answer.promise
    })
    const answered = gateway.post(path, { code: 'D' }, staff)
    await asked.promise
    // As the file is at this moment: whoever is killed leaves it so.
    const left = copyNow()
    expect(await check(left)).toMatchObject({ intact: true, unanswered: unanswered + 1 })
    answer.resolve(Response.json({}))
    await answered
    await gateway.platform.stop('gateway')
    copyFileSync(left, file)
    await gateway.platform.start('gateway')
    await gateway.post(path, { code: 'E' }, await gateway.user({ roles: ['admin'] }))
    expect(await check()).toMatchObject({ intact: true, unanswered: unanswered + 1 })
  })
})

describe('the gateway’s own check', () => {
  const quiet = { log: silentLog, metrics: { add: () => {} }, now: () => new Date() }

  test('goes on where its time was over, and says how far it is', async () => {
    const copy = join(tempDir(), 'gateway.sqlite')
    copyFileSync(tenRows, copy)
    const database = new Database(copy)
    database.run('DROP TRIGGER audit_trail_refuses_replace')
    // A trail of more than one chunk, whose second one does not fit.
    for (let number = 11; number <= 250; number++) {
      const row = { number, actId: `a${number}`, at: new Date(number), step: 'asked', door: 'api' } as const
      appendTo(database, row)
    }
    database.close()
    const reader = openReadOnly(copy)
    const check = createTrailCheck({ store: reader, ...quiet }, 0)
    const first = await check.goOn()
    expect(first).toMatchObject({ isComplete: false, intact: true, rows: 100 })
    expect(await check.goOn()).toMatchObject({ isComplete: false, rows: 200, checkedAt: first.checkedAt })
    expect(await check.goOn()).toMatchObject({ isComplete: false, rows: 250 })
    // The end that is kept beside the rows is not theirs.
    const last = await check.goOn()
    expect(last).toMatchObject({ isComplete: true, intact: true, rows: 250 })
    reader.close()
  })

  test('does not forget a break at the first rows of the next pass', async () => {
    const broken = join(tempDir(), 'gateway.sqlite')
    copyFileSync(tenRows, broken)
    const database = new Database(broken)
    for (const statement of [...freed, 'DELETE FROM audit_trail WHERE number > 8']) database.run(statement)
    database.close()
    const reader = openReadOnly(broken)
    const check = createTrailCheck({ store: reader, ...quiet }, 0)
    expect((await check.goOn()).intact).toBe(true)
    for (let n = 0; n < 4; n++) expect((await check.goOn()).problem).toBe('Rows 9 to 10 are missing')
    reader.close()
  })
})

/** A row at the end of the chain, made as the gateway makes it. */
function appendTo(database: Database, own: Pick<AuditRow, 'number' | 'actId' | 'at' | 'step' | 'door'>): void {
  const [last] = database.query<{ hash: string }, []>('SELECT hash FROM audit_trail ORDER BY number DESC LIMIT 1').all()
  const texts = { actor: 'x', roles: '', address: '', service: '', action: '', requestId: '', detail: '{}' }
  const row = { ...own, ...texts, session: null, object: null, status: null, previousHash: last?.hash ?? '' }
  const { number, actId, step, at, door, actor, roles, session, address, service, action, object, status } = row
  const { requestId, detail, previousHash } = row
  const own17 = [
    number,
    actId,
    step,
    at.getTime(),
    door,
    actor,
    roles,
    session,
    address,
    service,
    action,
    object,
    status,
  ]
  const values = [...own17, requestId, detail, previousHash, hashOf(row)]
  database.run(`INSERT INTO audit_trail VALUES (${values.map(() => '?').join()})`, values)
}

describe('bun run audit', () => {
  test('says that the trail is whole, and ends with the first thing that is wrong', async () => {
    const folder = dirname(tenRows)
    expect(await checkTrail(knownPlaceOf('gateway', folder))).toMatch(
      /^The audit trail is whole: 10 rows, the last with [0-9a-f]{64}\.\n$/,
    )
    expect(await checkTrail(knownPlaceOf('gateway', tempDir()))).toBe('')
    const broken = join(tempDir(), 'gateway.sqlite')
    copyFileSync(tenRows, broken)
    const database = new Database(broken)
    for (const statement of [...freed, "UPDATE audit_trail SET actor = 'x' WHERE number = 1"]) database.run(statement)
    database.close()
    await expect(checkTrail(knownPlaceOf('gateway', dirname(broken)))).rejects.toThrow(
      'is broken. Row 1 is not as it was written.',
    )
  })
})
