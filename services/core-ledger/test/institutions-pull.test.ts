// Institutions as the ledger pulls them from their owners, where no event said it.
import { describe, expect, test } from 'bun:test'
import { localServer } from '@bursar/testing'
import { heldWorkers } from '../src/withdrawals/institutions.consumer'
import { openLedger } from './harness'
import { participantOf, pfiOf } from './institution-events'
import { makeAsset, pay, withdrawalOf } from './steps'

describe('the pull', () => {
  /** An owner's feed of changes. */
  const feed = () => {
    let page = { epoch: 1, items: [] as { version: number; record: object }[] }
    const server = localServer((request) => {
      const after = Number(new URL(request.url).searchParams.get('after'))
      return Response.json({ ...page, items: page.items.filter((item) => item.version > after), more: false })
    })
    return {
      server,
      say: (epoch: number, ...records: object[]) => {
        page = { epoch, items: records.map((record, i) => ({ version: i + 1, record })) }
      },
    }
  }

  test('without an event: each owner for itself, after restores of an owner, and at the start', async () => {
    const [pfis, participants] = [feed(), feed()]
    const urls = { 'main-api': pfis.server.url, participant: participants.server.url }
    const ledger = await openLedger({ urls })
    const [paused, deleted] = [Bun.randomUUIDv7(), Bun.randomUUIDv7()]
    const assetId = await makeAsset(ledger, { code: 'HELD' })
    const benches = await Promise.all(
      [paused, deleted].map(async (participantId) => {
        const { id: accountId, customerId } = await ledger.account({ participantId })
        const bench = { accountId, customerId, assetId }
        await pay(ledger, bench, '10')
        return bench
      }),
    )
    const workers = heldWorkers(ledger.deps)
    const statuses = async () => {
      // Twice: one that is under way by itself has asked before.
      for (const each of [...workers, ...workers]) await each.runNow()
      const made = benches.map((bench) => ledger.ask('POST', '/transactions/withdrawal', withdrawalOf(bench)))
      return (await Promise.all(made)).map(({ status }) => status)
    }
    expect(await statuses()).toEqual([201, 201])
    pfis.say(1, pfiOf(paused, 'PAUSED'))
    participants.say(1, participantOf(deleted, new Date().toISOString()))
    expect(await statuses()).toEqual([400, 400])
    // The main API is restored to a state before, in which it does not know the institution at all.
    pfis.say(2)
    expect(await statuses()).toEqual([201, 400])
    pfis.say(2, pfiOf(paused, 'OFFBOARDED'))
    await participants.server.stop()
    expect(await statuses()).toEqual([400, 400])
    for (const each of workers) await each.stop()
    await ledger.close()
    await pfis.server.stop()
  })
})
