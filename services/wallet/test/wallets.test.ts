import { describe, expect, test } from 'bun:test'
import { WalletCreated } from '@bursar/contracts/wallet'
import { eq } from '@bursar/store'
import { wallets } from '../src/wallets/wallets.table'
import { watchDue } from '../src/wallets/watching'
import { create, expectStatus, hot, nobody, notUuid, refused, testWallets, walletPath } from './harness'
import { sharedWallets } from './own-wallets'

const { peers, service } = await sharedWallets()

describe('GET /wallets/account/:accountId/network/:network', () => {
  test('creates the wallet once, registers its address for watching and emits an event', async () => {
    const accountId = peers.account()
    const wallet = expectStatus(await service.get(walletPath(accountId, 'ethereum', create)), 200)
    expect(wallet).toEqual({
      walletId: expect.any(String),
      accountId,
      network: 'ethereum',
      address: expect.stringMatching(/^0x[0-9a-fA-F]{40}$/),
      createdAt: expect.any(String),
    })
    expect((await service.get(walletPath(accountId, 'ethereum', create))).body).toEqual(wallet)
    expect((await service.get(walletPath(accountId, 'ethereum'))).body).toEqual(wallet)
    const events = (await service.eventsNamed(WalletCreated.name)).filter(
      ({ data }) => (data as { accountId: string }).accountId === accountId,
    )
    expect(events.map(({ data, type }) => ({ data, type }))).toEqual([{ data: wallet, type: 'WALLET_CREATED' }])
    expect(peers.watched.filter((each) => each.accountId === accountId)).toEqual([
      { network: 'ethereum', address: wallet.address, accountId, isPortfolio: false },
    ])
  })

  test('gives an account one address on all EVM networks, another on Solana, and other accounts other addresses', async () => {
    const [one, other] = [peers.account(), peers.account()]
    const evm = await service.wallet(one, 'ethereum')
    expect((await service.wallet(one, 'polygon')).address).toBe(evm.address)
    expect((await service.wallet(one, 'stellar')).address).toBe(evm.address)
    expect((await service.wallet(one, 'solana')).address).toMatch(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/)
    expect((await service.wallet(other, 'ethereum')).address).not.toBe(evm.address)
  })

  test('creates one for concurrent requests', async () => {
    const accountId = peers.account()
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => service.get(walletPath(accountId, 'base', create))),
    )
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.walletId}`)).size).toBe(1)
    const created = (await service.eventsNamed(WalletCreated.name)).filter(
      ({ data }) => (data as { accountId: string }).accountId === accountId,
    )
    expect(created).toHaveLength(1)
  })

  test('of a paused participant is found, not created: 403', async () => {
    const accountId = peers.account()
    const paused = await service.as({ kind: 'participant', participantId: nobody, isPaused: true })
    const { code } = refused(await service.get(walletPath(accountId, 'base', create), paused), 403)
    expect([code, peers.watched.some((each) => each.accountId === accountId)]).toEqual(['INSTITUTION_PAUSED', false])
    refused(await service.get(walletPath(accountId, 'base'), paused), 404)
    const made = await service.wallet(accountId, 'base')
    expect((await service.get(walletPath(accountId, 'base', create), paused)).body).toEqual(made)
  })

  test('accepts a network’s name in any case', async () => {
    const accountId = peers.account()
    const { walletId } = await service.wallet(accountId, 'Polygon')
    expect((await service.get(walletPath(accountId, 'POLYGON'))).body).toMatchObject({ walletId, network: 'polygon' })
  })

  test('404 without a wallet, 404 for an unknown account', async () => {
    expect(refused(await service.get(walletPath(peers.account(), 'ethereum')), 404)).toEqual({
      code: 'NOT_FOUND',
      message: 'Wallet not found',
    })
    expect(refused(await service.get(walletPath(nobody, 'ethereum', create)), 404).message).toBe(
      `Account ${nobody} not found`,
    )
  })

  test('400 for invalid ids, names and switches', async () => {
    expect(refused(await service.get(walletPath('x', 'ethereum')), 400)).toEqual(notUuid)
    for (const name of ['%20', '..%2F', 'a%24b', 'a.b', 'a_b', 'x'.repeat(33)]) {
      expect(refused(await service.get(walletPath(peers.account(), name)), 400).code).toBe('INVALID_REQUEST')
    }
    expect(refused(await service.get(walletPath(peers.account(), 'base', '?createIfNotExists=yes')), 400).message).toBe(
      'createIfNotExists must be true or false',
    )
  })

  test('422 on a network that the blockchain service does not have; nothing is stored', async () => {
    peers.refusedNetworks.add('atlantis')
    const accountId = peers.account()
    expect(refused(await service.get(walletPath(accountId, 'atlantis', create)), 422)).toEqual({
      code: 'UNPROCESSABLE',
      message: 'There are no wallets on atlantis: There is no network atlantis here',
    })
    refused(await service.get(walletPath(accountId, 'atlantis')), 404)
  })

  test('503 while the account service is unavailable, for accounts that are unknown here', async () => {
    const accountId = peers.account()
    peers.away.add('account')
    expect(refused(await service.get(walletPath(accountId, 'ethereum', create)), 503).code).toBe('SERVICE_UNAVAILABLE')
    peers.away.delete('account')
    await service.wallet(accountId, 'ethereum')
    peers.away.add('account')
    await service.wallet(accountId, 'solana')
    peers.away.delete('account')
  })

  test('creates it while the blockchain service is unavailable; its address is registered later, and once a day', async () => {
    const accountId = peers.account()
    peers.away.add('blockchain')
    const { address } = await service.wallet(accountId, 'arbitrum')
    expect(await watchDue(service.deps, new Date())).toBe(0)
    peers.away.delete('blockchain')
    const watches = () => peers.watched.filter((each) => each.address === address && each.network === 'arbitrum').length
    expect(watches()).toBe(0)
    await watchDue(service.deps, new Date())
    await watchDue(service.deps, new Date())
    expect(watches()).toBe(1)
    await watchDue(service.deps, new Date(Date.now() + 25 * 60 * 60 * 1000))
    expect(watches()).toBe(2)
  })
})

describe('POST /wallets/accounts', () => {
  test('creates a wallet account for one new account', async () => {
    const { walletAccountId, accountId } = await service.create('/wallets/accounts')
    expect(accountId).toBeNull()
    const known = await service.ask('GET', `/internal/wallet-accounts/${walletAccountId}`, undefined, service.ledger)
    expect(known).toMatchObject({ status: 200, body: { id: walletAccountId } })

    const first = await service.wallet(peers.account('STABLECOINS', { walletAccountId }), 'ethereum')
    const second = peers.account('STABLECOINS', { walletAccountId })
    expect(refused(await service.get(walletPath(second, 'ethereum', create)), 409)).toEqual({
      code: 'CONFLICT',
      message: 'The wallet account belongs to another account',
    })
    expect(first.address).toMatch(/^0x/)
  })

  test('two accounts never get the same address: not by one id in two cases, nor on two networks', async () => {
    const { walletAccountId } = await service.create('/wallets/accounts')
    const portfolio = peers.account('PORTFOLIO', { walletAccountId })
    await service.wallet(portfolio, 'ethereum')
    for (const given of [walletAccountId, walletAccountId.toUpperCase(), portfolio, portfolio.toUpperCase()]) {
      const pooled = peers.account('OMNIBUS', { walletAccountId: given })
      const answer = await service.get(walletPath(pooled, 'polygon', create))
      if (given.toLowerCase() === walletAccountId) expect(refused(answer, 409).code).toBe('CONFLICT')
      else expect(answer.body.address).not.toBe((await service.wallet(portfolio, 'ethereum')).address)
    }
  })

  test('an id in upper case is the same wallet account', async () => {
    const { walletAccountId } = await service.create('/wallets/accounts')
    const accountId = peers.account('STABLECOINS', { walletAccountId: walletAccountId.toUpperCase() })
    await service.wallet(accountId, 'ethereum')
    const rows = await service.store.read.select().from(wallets).where(eq(wallets.accountId, accountId))
    expect(rows.map((row) => row.walletAccountId)).toEqual([walletAccountId])
  })

  test('an address of one account on any network is never given to another account', async () => {
    const [one, other] = [peers.account(), peers.account()]
    await service.wallet(one, 'ethereum')
    const [row] = await service.store.read.select().from(wallets).where(eq(wallets.accountId, one))
    if (!row) throw new Error('no wallet')
    // As if two wallet accounts had come to one place in the tree of keys.
    const { address } = await service.wallet(other, 'polygon')
    const collision = { ...row, id: Bun.randomUUIDv7(), network: 'arbitrum', address }
    await service.store.commit(async (tx) => void (await tx.insert(wallets).values(collision)))
    expect(refused(await service.get(walletPath(other, 'base', create)), 409).code).toBe('CONFLICT')
  })

  test('replays its answer under an idempotency key', async () => {
    const headers = { 'idempotency-key': 'one' }
    const first = await service.post('/wallets/accounts', undefined, headers)
    const again = await service.post('/wallets/accounts', undefined, headers)
    expect(again.body).toEqual(first.body)
    expect(again.headers.get('idempotent-replayed')).toBe('true')
  })
})

test('GET /internal/hot-addresses names the hot wallet of each family', async () => {
  expect((await service.get('/internal/hot-addresses', service.ledger)).body).toEqual([
    { family: 'evm', address: hot.evm },
    { family: 'solana', address: hot.solana },
  ])
  refused(await service.get('/internal/hot-addresses'), 401)
})

test('GET /internal/addresses/:network/:address recognizes the addresses of this deployment', async () => {
  const wallet = await service.wallet(peers.account(), 'ethereum')
  const onSolana = await service.wallet(peers.account(), 'solana')
  const isOwn = async (network: string, address: string) => {
    const path = `/internal/addresses/${network}/${encodeURIComponent(address)}`
    return expectStatus(await service.get(path, service.ledger), 200).isOwn
  }
  expect(await isOwn('ethereum', wallet.address)).toBe(true)
  expect(await isOwn('ethereum', wallet.address.toLowerCase())).toBe(true)
  // The same key has it on every network of its kind.
  expect(await isOwn('polygon', wallet.address)).toBe(true)
  expect(await isOwn('solana', onSolana.address)).toBe(true)
  expect([await isOwn('base', hot.evm.toLowerCase()), await isOwn('solana', hot.solana)]).toEqual([true, true])
  expect(await isOwn('ethereum', nobody)).toBe(false)
  expect(await isOwn('solana', hot.evm)).toBe(false)
  expect(await isOwn('stellar', 'any text')).toBe(false)
  refused(await service.get(`/internal/addresses/${'x'.repeat(33)}/a`, service.ledger), 400)
  refused(await service.get(`/internal/addresses/ethereum/${wallet.address}`), 401)
})

describe('the internal routes', () => {
  test('list the addresses of an account, each once', async () => {
    const accountId = peers.account()
    const evm = await service.wallet(accountId, 'ethereum')
    await service.wallet(accountId, 'polygon')
    const solana = await service.wallet(accountId, 'solana')
    const get = (id: string) => service.get(`/internal/accounts/${id}/addresses`, service.ledger)
    expect((await get(accountId)).body).toEqual([evm.address, solana.address])
    expect((await get(nobody)).body).toEqual([])
  })

  test('find the wallet accounts of accounts, too: 404 for others', async () => {
    const accountId = peers.account()
    refused(await service.get(`/internal/wallet-accounts/${accountId}`, service.ledger), 404)
    await service.wallet(accountId, 'ethereum')
    expect((await service.get(`/internal/wallet-accounts/${accountId}`, service.ledger)).body).toEqual({
      id: accountId,
    })
    expect(refused(await service.get('/internal/wallet-accounts/x', service.ledger), 400)).toEqual(notUuid)
  })

  test('return the holdings of all addresses of a network, in pages', async () => {
    const fresh = await testWallets(peers)
    const made = []
    for (let i = 0; i < 40; i++) made.push((await fresh.wallet(peers.account(), 'base')).address)
    peers.hold('base', made[39] ?? '', { native: '7', '0xaa': '5' })
    const items = []
    let next: string | null | undefined
    do {
      const page = expectStatus(
        await fresh.get(`/internal/holdings/base${next ? `?after=${next}` : ''}`, fresh.ledger),
        200,
      )
      items.push(...page.items)
      next = page.next
    } while (next !== null)
    expect(items.map(({ address }) => address)).toEqual([fresh.deps.keys.fingerprint, ...made])
    expect(items[0].accountId).toBeNull()
    expect(items.at(-1).holdings).toEqual([
      { contractAddress: null, amount: '7', decimals: 6 },
      { contractAddress: '0xaa', amount: '5', decimals: 6 },
    ])
    peers.away.add('blockchain')
    refused(await fresh.get('/internal/holdings/base', fresh.ledger), 503)
    peers.away.delete('blockchain')
    await fresh.close()
  })

  test('are for services alone', async () => {
    const participant = await service.asParticipant(nobody)
    for (const headers of [{}, participant]) {
      for (const internal of [
        `/internal/accounts/${nobody}/addresses`,
        `/internal/wallet-accounts/${nobody}`,
        '/internal/holdings/base',
        '/internal/withdrawals/changes',
        `/internal/withdrawals/${nobody}`,
      ]) {
        expect(refused(await service.get(internal, headers), 401).code).toBe('UNAUTHORIZED')
      }
    }
  })
})
