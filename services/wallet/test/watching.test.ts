import { describe, expect, test } from 'bun:test'
import { openReadOnly } from '@bursar/store'
import { ranges, walletsIn, watchDue } from '../src/wallets/watching'
import { create, expectStatus, refused, testWallets, walletPath } from './harness'
import { order, start } from './orders'
import { sharedWallets } from './own-wallets'

const { peers, service } = await sharedWallets()

describe('addresses are watched', () => {
  const failing = (networks: string[]) =>
    peers.fault(async (request, usual) => {
      if (!request.url.endsWith('/internal/addresses')) return usual()
      const { network } = (await request.clone().json()) as { network: string }
      return networks.includes(network) ? new Response('', { status: 500 }) : usual()
    })

  test('wallets that cannot be registered do not delay others, even more than a round has lanes, and are retried', async () => {
    failing(['constructor', '__proto__'])
    const bad = await Promise.all(Array.from({ length: 40 }, () => service.wallet(peers.account(), 'constructor')))
    peers.away.add('blockchain')
    const good = await service.wallet(peers.account(), 'base')
    peers.away.delete('blockchain')
    const isWatched = ({ address }: { address: string }) =>
      peers.watched.some((each) => each.address === address && ['base', 'constructor'].includes(each.network))
    await watchDue(service.deps, new Date())
    await expect(isWatched(good)).toBe(true)
    expect(bad.some(isWatched)).toBe(false)
    peers.fault(null)
    await watchDue(service.deps, new Date())
    expect(bad.every(isWatched)).toBe(true)
  })

  test('those of portfolios as such, also when they are registered again', async () => {
    const accountId = peers.account('PORTFOLIO')
    await service.wallet(accountId, 'ethereum')
    await watchDue(service.deps, new Date(Date.now() + 25 * 60 * 60 * 1000))
    const told = peers.watched.filter((each) => each.accountId === accountId)
    expect(told.map(({ isPortfolio }) => isPortfolio)).toEqual([true, true])
  })

  test('again as soon as the blockchain service is in another epoch, and once in each', async () => {
    const { address } = await service.wallet(peers.account(), 'polygon')
    const times = () => peers.watched.filter((each) => each.address === address).length
    const at = (seconds: number) => new Date(Date.now() + seconds * 1000)
    // A run that is seen first now, and not by the clock of another test.
    peers.epoch += 1
    await watchDue(service.deps, at(1))
    await watchDue(service.deps, at(2))
    const before = times()
    await watchDue(service.deps, at(3))
    expect(times()).toBe(before)
    peers.epoch += 1
    await watchDue(service.deps, at(60))
    await watchDue(service.deps, at(120))
    expect(times()).toBe(before + 1)
    // While it is away nothing is known of its run.
    peers.epoch += 1
    peers.away.add('blockchain')
    await watchDue(service.deps, at(180))
    peers.away.delete('blockchain')
    await watchDue(service.deps, at(240))
    expect(times()).toBe(before + 2)
  })

  test('again, but only once, after a clock was a year ahead for one round', async () => {
    const { address } = await service.wallet(peers.account(), 'polygon')
    const times = () => peers.watched.filter((each) => each.address === address).length
    const at = (seconds: number) => new Date(Date.now() + seconds * 1000)
    peers.epoch += 1
    await watchDue(service.deps, at(365 * 86_400))
    const before = times()
    await watchDue(service.deps, at(1))
    expect(times()).toBe(before + 1)
    await watchDue(service.deps, at(2))
    await watchDue(service.deps, at(3))
    expect(times()).toBe(before + 1)
  })

  test.each(ranges)('those that are due (%s) are found in their index', (range) => {
    const { sql } = walletsIn(range)(service.store.read).toSQL()
    const file = openReadOnly(service.file)
    const plan = file.rows(`explain query plan ${sql}`).map(({ detail }) => String(detail))
    file.close()
    expect(plan).toEqual([expect.stringMatching(/INDEX wallets_watched_at \(watched_at/)])
  })

  test.each(['constructor', 'tostring', 'valueof', 'hasownproperty'])(
    '%s is a network like any other',
    async (name) => {
      const accountId = peers.account()
      const { address } = await service.wallet(accountId, name)
      peers.hold(name, address, { native: (10n ** 20n).toString() })
      const body = order({ accountId, network: name })
      expect((await start(service, body)).status).toBe('accepted')
      await service.drive()
      expect(peers.sends.get(body.id)?.order).toMatchObject({ network: name, from: address })
      expectStatus(await service.get(`/internal/holdings/${name}`, service.ledger), 200)
    },
  )
})

test('in production 400 for a network outside the deployment, and nothing is stored', async () => {
  const live = await testWallets(peers, { settings: { environment: 'production' } })
  const accountId = peers.account()
  const asked = await live.get(walletPath(accountId, 'stellar', create))
  expect(refused(asked, 400).message).toBe('network must be one of this deployment: stellar is not configured')
  refused(await live.get(walletPath(accountId, 'stellar')), 404)
  expectStatus(await live.get(walletPath(accountId, 'polygon', create)), 200)
  await live.close()
})
