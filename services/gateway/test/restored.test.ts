// A database that was restored from an older backup lacks acts of its audit trail: the trail itself says so.
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { copyFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { eq, openReadOnly, openStore } from '@bursar/store'
import { meta } from '@bursar/store/schema'
import { tempDir } from '@bursar/testing'
import { verifyTrail } from '../src/audit-trail/trail'
import { migrations } from '../src/service'
import { openGateway, type TestGateway } from './harness'

let gateway: TestGateway
beforeEach(async () => {
  gateway = await openGateway()
})
afterEach(() => gateway?.close())

const inFolder = (name: string) => join(gateway.platform.dataDir, name)
const forgetRun = () => rmSync(inFolder('gateway.run'))

/** One act of an administrator: two rows. */
const act = async () => {
  const headers = await gateway.user({ roles: ['admin'] })
  expect((await gateway.post('/quote/v1/assets', { code: 'A' }, headers)).status).toBe(200)
}

/** Stops it, does this to its files, and starts it again. */
async function restart(between: () => unknown = () => {}): Promise<void> {
  await gateway.platform.stop('gateway')
  await between()
  await gateway.platform.start('gateway')
}

/** A copy of the database as it is, while the gateway is stopped for a moment. */
async function backup(): Promise<string> {
  const copy = join(tempDir(), 'gateway.sqlite')
  await restart(() => copyFileSync(inFolder('gateway.sqlite'), copy))
  return copy
}
const putBack = (copy: string) => copyFileSync(copy, inFolder('gateway.sqlite'))

interface Row {
  number: number
  step: string
  at: number
  door: string
  actor: string
  service: string
  action: string
  status: number | null
  detail: string
}
function rows(): Row[] {
  const database = openReadOnly(inFolder('gateway.sqlite'))
  const found = database.rows('SELECT * FROM audit_trail ORDER BY number') as unknown as Row[]
  database.close()
  return found
}
const actions = () => rows().map(({ action }) => action)
const asset = 'POST /assets'
const restore = 'START after a restore'

describe('after a restore', () => {
  test.each([
    ['onto an empty folder', forgetRun],
    ['beside what the last run noted', () => {}],
  ])('%s the trail says after which row actions are missing, and continues as one chain', async (_where, spoil) => {
    await act()
    const copy = await backup()
    await act()
    await act()
    await restart(() => {
      putBack(copy)
      spoil()
    })
    expect(actions()).toEqual([asset, asset, restore, restore])
    const [, last, asked, answered] = rows()
    const problem = `The database was set back to an older state: what was done after row 2 (${new Date(last?.at ?? 0).toISOString()}) is in this trail no more`
    expect(asked).toMatchObject({ step: 'asked', door: 'start', actor: 'gateway', service: 'gateway', status: null })
    expect(answered).toMatchObject({ step: 'answered', status: 200, detail: JSON.stringify({ problem }) })

    await act()
    await restart()
    expect(actions()).toEqual([asset, asset, restore, restore, asset, asset])
    const reader = openReadOnly(inFolder('gateway.sqlite'))
    expect(await verifyTrail(reader)).toMatchObject({ intact: true, rows: 6, unanswered: 0 })
    reader.close()
  })

  test('an empty trail says so too', async () => {
    await restart(forgetRun)
    expect(actions()).toEqual([restore, restore])
    expect(JSON.parse(rows()[1]?.detail ?? '')).toEqual({
      problem: 'The database was set back to an older state: what was done is in this trail no more',
    })
  })
})

describe('without a restore', () => {
  test('starts add nothing', async () => {
    await act()
    await restart()
    await restart()
    expect(actions()).toEqual([asset, asset])
  })

  test('nor does the first start after an update from a version without run files', async () => {
    await act()
    await restart(async () => {
      const store = await openStore({ service: 'gateway', file: inFolder('gateway.sqlite'), migrations })
      await store.commit(async (tx) => void (await tx.delete(meta).where(eq(meta.key, 'run_file'))))
      await store.close()
      forgetRun()
    })
    expect(actions()).toEqual([asset, asset])
    await restart(forgetRun)
    expect(actions()).toEqual([asset, asset, restore, restore])
  })
})
