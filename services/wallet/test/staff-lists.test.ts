// What staff sees: the wallets of all accounts, orders under way, what pays fees; and the search.
import { beforeAll, describe, expect, test } from 'bun:test'
import { expectStatus, hot, refused } from './harness'
import { fundedAccount, moveSend, oneAndAHalf, order, start, stranger, txHash } from './orders'
import { sharedWallets } from './own-wallets'

const { peers, service } = await sharedWallets()
let staff: Record<string, string>
beforeAll(async () => {
  staff = await service.as({ kind: 'user', roles: ['viewer'] })
})

describe('GET /wallets for staff', () => {
  const made: { walletId: string; address: string; accountId: string; network: string }[] = []
  let omnibus: string
  const participantId = Bun.randomUUIDv7()
  const idsOf = async (query: string) => {
    const { data } = expectStatus(
      await service.get(`/wallets?limit=100&${query}`.replace('limit=100&limit', 'limit'), staff),
      200,
    )
    return data.map(({ walletId }: { walletId: string }) => walletId)
  }

  beforeAll(async () => {
    omnibus = peers.account('OMNIBUS', { participantId })
    for (const accountId of [omnibus, peers.account(), peers.account()]) {
      for (const network of ['ethereum', 'polygon', 'solana']) {
        made.push({ ...(await service.wallet(accountId, network)), accountId, network })
      }
    }
  })

  test('lists the wallets of all accounts, by account, network and address', async () => {
    const { data } = expectStatus(await service.get(`/wallets?accountId=${omnibus}`, staff), 200)
    expect(data[1]).toEqual({
      participantId,
      address: made[1]?.address,
      blockchain: 'polygon',
      walletId: made[1]?.walletId,
      accountId: omnibus,
      simulated: true,
      createdAt: expect.stringMatching(/Z$/),
    })
    const ids = (isWanted: (wallet: (typeof made)[0]) => boolean) =>
      made.filter(isWanted).map(({ walletId }) => walletId)
    const last = made.at(-1)
    const onSolana = ids(({ network }) => network === 'solana')
    expect((await idsOf('network=Solana')).filter((id: string) => onSolana.includes(id))).toEqual(onSolana)
    expect(await idsOf(`network=Solana&accountId=${omnibus}`)).toEqual([made[2]?.walletId])
    // The EVM networks of an account share its address.
    expect(await idsOf(`address=${made[0]?.address.toLowerCase()}`)).toEqual(
      [made[0], made[1]].map((each) => each?.walletId),
    )
    expect(await idsOf(`address=${last?.address}&accountId=${last?.accountId}`)).toEqual([last?.walletId])
    expect(await idsOf(`address=${last?.address}&accountId=${omnibus}`)).toEqual([])
    const [customers] = (await service.get(`/wallets?accountId=${last?.accountId}`, staff)).body.data
    expect(customers.participantId).toBeNull()
  })

  test('continues after a wallet, in both orders, and says how many there are', async () => {
    const all = await idsOf('')
    expect(all).toEqual([...all].sort())
    expect(await idsOf('order=desc')).toEqual(all.toReversed())
    expect(await idsOf(`limit=2&after=${all[1]}`)).toEqual(all.slice(2, 4))
    expect(await idsOf(`limit=2&order=desc&after=${all[4]}`)).toEqual([all[3], all[2]])
    const total = async (query: string) =>
      (await service.get(`/wallets?limit=1&${query}`, staff)).headers.get('x-total-count')
    expect(await total('count=true')).toBe(String(all.length))
    expect(await total(`count=true&accountId=${omnibus}`)).toBe('3')
    expect(await total('')).toBeNull()
  })

  test('400 for invalid parameters; a participant and its users see no more than before', async () => {
    for (const query of ['limit=101', 'limit=0', 'accountId=x', 'order=up']) {
      refused(await service.get(`/wallets?${query}`, staff), 400)
    }
    peers.participants.set(participantId, { routerData: null, accountIds: [] })
    const own = await service.as({ kind: 'user', participantId, roles: ['admin'] })
    const { data } = expectStatus(await service.get('/wallets', own), 200)
    expect(data.map(({ accountId }: { accountId: string }) => accountId)).toEqual([omnibus, omnibus, omnibus])
    const { message } = refused(
      await service.get('/wallets', await service.as({ kind: 'user', roles: ['custodian-user'] })),
      401,
    )
    expect(message).toContain('No participant')
  })

  test('401 for staff without a parameter, as before', async () => {
    refused(await service.get('/wallets', staff), 401)
  })

  test('warns while the blockchain service is unavailable', async () => {
    peers.away.add('blockchain')
    const { data, warning } = expectStatus(await service.get(`/wallets?accountId=${omnibus}`, staff), 200)
    peers.away.delete('blockchain')
    expect(warning).toContain('The blockchain service is unavailable')
    expect(data).toHaveLength(3)
  })
})

describe('GET /wallets/withdrawals', () => {
  const open = async (query = '') => expectStatus(await service.get(`/wallets/withdrawals?${query}`), 200)
  const idsOf = async (query: string) => (await open(query)).map(({ id }: { id: string }) => id)

  test('lists open orders, oldest first, with the reason of their wait', async () => {
    peers.hold('ethereum', hot.evm, { native: '0' })
    const { accountId, address } = await fundedAccount(service, peers)
    const poor = order({ accountId: peers.account(), network: 'ethereum', assetCode: 'ETH' })
    const paid = order({ accountId })
    for (const body of [poor, paid]) await start(service, body)
    expect(await idsOf('')).toEqual([poor.id, paid.id])
    await service.drive()
    const [waiting, sent] = await open('count=true')
    expect(waiting).toMatchObject({ id: poor.id, status: 'accepted', payer: null, attempts: 1 })
    expect(waiting.waitsFor).toStartWith('No address was found that can pay it')
    expect(sent).toEqual({
      id: paid.id,
      kind: 'withdrawal',
      accountId,
      network: 'polygon',
      assetCode: 'POL',
      contractAddress: null,
      amount: '1.5',
      destinationAddress: stranger,
      status: 'accepted',
      txHash: null,
      reason: null,
      waitsFor: null,
      payer: address,
      feePayer: null,
      attempts: expect.any(Number),
      nextAttemptAt: expect.any(String),
      signedAt: null,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    })
    expect(await idsOf('network=POLYGON')).toEqual([paid.id])
    expect(await idsOf('order=desc&limit=1')).toEqual([paid.id])
    expect(await idsOf(`after=${poor.id}`)).toEqual([paid.id])
    await moveSend(service, peers, { id: paid.id, status: 'broadcast', txHash: txHash() })
    await moveSend(service, peers, { id: paid.id, status: 'confirmed' })
    expect(await idsOf('')).toEqual([poor.id])
    const { headers } = await service.get('/wallets/withdrawals?count=true')
    expect(headers.get('x-total-count')).toBe('1')
    const ended = expectStatus(await service.get(`/wallets/withdrawals/${paid.id}`), 200)
    expect(ended).toMatchObject({ status: 'confirmed', txHash: txHash(), nextAttemptAt: null, waitsFor: null })
    await service.post(`/internal/withdrawals/${poor.id}/refuse`, { reason: 'done' }, service.ledger)
    expect(await idsOf('')).toEqual([])
  })

  test('404 for an unknown order, 400 for invalid parameters', async () => {
    refused(await service.get(`/wallets/withdrawals/${Bun.randomUUIDv7()}`), 404)
    refused(await service.get('/wallets/withdrawals/x'), 400)
    for (const query of ['limit=0', 'after=x', 'order=up'])
      refused(await service.get(`/wallets/withdrawals?${query}`), 400)
  })
})

describe('GET /wallets/fees', () => {
  test('shows the fee balances of each network, and whether they are too low for one more order', async () => {
    peers.hold('ethereum', hot.evm, { native: (10n ** 16n).toString() })
    peers.hold('solana', hot.solana, { native: '2999999' })
    const participantId = Bun.randomUUIDv7()
    const accountId = peers.account('FEE_PAYER', { participantId })
    const { address } = await service.wallet(accountId, 'solana')
    peers.hold('solana', address, { native: '3000000' })
    const fees = expectStatus(await service.get('/wallets/fees'), 200)
    const own = { accountId: null, openOrders: 0 }
    expect(fees).toContainEqual({
      ...own,
      network: 'ethereum',
      kind: 'evm',
      address: hot.evm,
      code: 'ETH',
      balance: '0.01',
      needed: '0.01',
      isLow: false,
    })
    const solana = { network: 'solana', kind: 'solana', code: 'SOL', needed: '0.003' }
    expect(fees).toContainEqual({ ...own, ...solana, address: hot.solana, balance: '0.002999999', isLow: true })
    expect(fees).toContainEqual({ ...own, ...solana, accountId, address, balance: '0.003', isLow: false })
    expect(fees.find(({ network }: { network: string }) => network === 'polygon')).toMatchObject({
      needed: '0',
      isLow: false,
    })
  })

  test('an order that it pays already needs its amount and its fee too', async () => {
    const { accountId, address } = await fundedAccount(service, peers, 1n)
    peers.hold('ethereum', hot.evm, { native: (oneAndAHalf + 2n * 10n ** 16n).toString() })
    const body = order({ accountId, network: 'ethereum', assetCode: 'ETH' })
    await start(service, body)
    await service.drive()
    expect(peers.sends.get(body.id)?.order.from).toBe(hot.evm)
    expect(address).not.toBe(hot.evm)
    const feeBalance = async () => {
      const fees = expectStatus(await service.get('/wallets/fees'), 200)
      return fees.find(({ network }: { network: string }) => network === 'ethereum')
    }
    expect(await feeBalance()).toMatchObject({ openOrders: 1, needed: '1.52', balance: '1.52', isLow: false })
    peers.hold('ethereum', hot.evm, { native: (oneAndAHalf + 2n * 10n ** 16n - 1n).toString() })
    expect(await feeBalance()).toMatchObject({ needed: '1.52', isLow: true })
    await moveSend(service, peers, { id: body.id, status: 'failed', reason: 'done' })
  })

  test('503 while the blockchain service is unavailable', async () => {
    peers.away.add('blockchain')
    refused(await service.get('/wallets/fees'), 503)
    peers.away.delete('blockchain')
  })
})

describe('GET /internal/search', () => {
  test('finds wallets by id and address; a participant finds only its own', async () => {
    const participantId = Bun.randomUUIDv7()
    const accountId = peers.account('OMNIBUS', { participantId })
    const { walletId, address } = await service.wallet(accountId, 'ethereum')
    const found = async (q: string, more = '') =>
      expectStatus(await service.get(`/internal/search?q=${q}${more}`, service.ledger), 200)
    const hit = { kind: 'wallet', id: walletId, title: 'Wallet on ethereum', detail: address, status: null }
    for (const q of [walletId, walletId.toUpperCase(), address, address.toLowerCase()]) {
      expect(await found(q)).toEqual([{ ...hit, at: expect.any(String) }])
    }
    expect(await found(address.slice(0, 20))).toEqual([])
    peers.participants.set(participantId, { routerData: null, accountIds: [] })
    expect(await found(address, `&participantId=${participantId}`)).toMatchObject([{ id: walletId }])
    expect(await found(address, `&participantId=${Bun.randomUUIDv7()}`)).toEqual([])
    refused(await service.get(`/internal/search?q=${address}`), 401)
  })
})
