import { describe, expect, test } from 'bun:test'
import { address, getAddressEncoder, getProgramDerivedAddress } from '@solana/kit'
import { expectStatus, nobody, notUuid, refused } from './harness'
import { sharedWallets } from './own-wallets'

const usdc = {
  ethereum: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
  solana: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
}
const unknownMint = 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB'

const laterMint = '7vfCXTUXx5WJV5JADk17DUJ4ksgau7utNKj4b963voxs'

const { peers, service } = await sharedWallets(({ assets }) => {
  assets.push(
    { code: 'ETH', blockchain: 'ethereum', contractAddress: null, decimals: 18 },
    { code: 'SOL', blockchain: 'Solana', contractAddress: 'native', decimals: 9 },
    { code: 'USDC-ETH', blockchain: 'ethereum', contractAddress: usdc.ethereum, decimals: 6 },
    { code: 'USDC-POL', blockchain: 'polygon', contractAddress: usdc.ethereum.toLowerCase(), decimals: 6 },
    { code: 'USDC-SOL', blockchain: 'solana', contractAddress: usdc.solana, decimals: 6 },
    { code: 'PTS', blockchain: 'stellar', contractAddress: 'points', decimals: 2 },
  )
})

const post = (id: string, body: object, headers?: Record<string, string>) =>
  service.post(`/wallets/${id}/token-account`, body, headers)
const get = (id: string, network: string, assetCode: string) =>
  service.get(`/wallets/${id}/token-account?network=${network}&assetCode=${assetCode}`)

/** The associated token account, as the program of that name defines it. */
async function associated(owner: string, mint: string): Promise<string> {
  const seeds = [owner, 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA', mint]
  const [derived] = await getProgramDerivedAddress({
    programAddress: address('ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL'),
    seeds: seeds.map((each) => getAddressEncoder().encode(address(each))),
  })
  return derived
}

test('a token account on Solana is an address of the deployment', async () => {
  const { address: made } = expectStatus(await post(peers.account(), { tokenAddress: usdc.solana }), 201)
  const look = async (network: string) =>
    (await service.get(`/internal/addresses/${network}/${made}`, service.ledger)).body
  expect([await look('solana'), await look('solana-devnet')]).toEqual([{ isOwn: true }, { isOwn: false }])
})

describe('POST /wallets/:id/token-account', () => {
  test('creates the associated account on Solana, with a fee payer, and returns it from then on', async () => {
    const [accountId, feePayerAccountId] = [peers.account(), peers.account('FEE_PAYER')]
    const created = expectStatus(await post(accountId, { tokenAddress: usdc.solana, feePayerAccountId }), 201)
    const wallet = await service.wallet(accountId, 'solana')
    expect(created).toEqual({
      tokenAccountId: expect.any(String),
      accountId,
      walletId: wallet.walletId,
      network: 'solana',
      tokenAddress: usdc.solana,
      assetCode: 'USDC-SOL',
      address: await associated(wallet.address, usdc.solana),
      feePayerAccountId,
      createdAt: expect.any(String),
    })
    expect(await post(accountId, { tokenAddress: usdc.solana })).toMatchObject({ status: 200, body: created })
    expect((await get(accountId, 'solana', 'usdc-sol')).body).toEqual(created)
  })

  test('takes null for no fee payer, as it answers it', async () => {
    const accountId = peers.account()
    const body = { tokenAddress: usdc.solana, feePayerAccountId: null }
    expect(expectStatus(await post(accountId, body), 201)).toMatchObject(body)
  })

  test('is the wallet’s address on EVM, on the network where the account has a wallet', async () => {
    const accountId = peers.account()
    const { address: own } = await service.wallet(accountId, 'polygon')
    const {
      network,
      assetCode,
      address: where,
    } = expectStatus(await post(accountId, { tokenAddress: usdc.ethereum.toLowerCase() }), 201)
    expect({ network, assetCode, where }).toEqual({ network: 'polygon', assetCode: 'USDC-POL', where: own })
    expect((await post(peers.account(), { tokenAddress: usdc.ethereum })).body).toMatchObject({ network: 'ethereum' })
  })

  test('accepts tokens that are not assets, by the form of their address', async () => {
    const accountId = peers.account()
    expect((await post(accountId, { tokenAddress: unknownMint })).body).toMatchObject({
      network: 'solana',
      assetCode: null,
    })
    const evm = '0xdac17f958d2ee523a2206206994597c13d831ec7'
    expect((await post(accountId, { tokenAddress: evm })).body).toMatchObject({ network: 'ethereum', assetCode: null })
  })

  test('creates one for concurrent requests, and replays under a key', async () => {
    const accountId = peers.account()
    const answers = await Promise.all(Array.from({ length: 10 }, () => post(accountId, { tokenAddress: usdc.solana })))
    expect(new Set(answers.map(({ body }) => body.tokenAccountId)).size).toBe(1)
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    const key = { 'idempotency-key': 'token-1' }
    const first = await post(accountId, { tokenAddress: unknownMint }, key)
    const again = await post(accountId, { tokenAddress: unknownMint }, key)
    expect({ status: again.status, body: again.body }).toEqual({ status: 201, body: first.body })
    refused(await post(accountId, { tokenAddress: usdc.solana }, key), 422)
  })

  test('400 for an invalid token, id, or fee payer', async () => {
    const accountId = peers.account()
    expect(refused(await post(accountId, { tokenAddress: 'gold' }), 400).message).toBe(
      'tokenAddress must be the address of an asset, or of a token of Ethereum or Solana',
    )
    expect(refused(await post(accountId, {}), 400).message).toBe('tokenAddress should not be empty')
    expect(refused(await post('x', { tokenAddress: usdc.solana }), 400)).toEqual(notUuid)
    expect(refused(await post(accountId, { tokenAddress: usdc.solana, feePayerAccountId: 'x' }), 400).message).toBe(
      'feePayerAccountId must be a UUID',
    )
    const feePayerAccountId = peers.account('OMNIBUS')
    expect(refused(await post(accountId, { tokenAddress: usdc.solana, feePayerAccountId }), 400).message).toBe(
      'feePayerAccountId must be an account of type FEE_PAYER, not OMNIBUS',
    )
  })

  test('404 for unknown accounts', async () => {
    expect(refused(await post(nobody, { tokenAddress: usdc.solana }), 404).message).toBe(`Account ${nobody} not found`)
    const body = { tokenAddress: usdc.solana, feePayerAccountId: nobody }
    expect(refused(await post(peers.account(), body), 404).message).toBe(`Fee payer account ${nobody} not found`)
  })

  test('503 while the core ledger is unavailable', async () => {
    peers.away.add('core-ledger')
    expect(refused(await post(peers.account(), { tokenAddress: usdc.solana }), 503).code).toBe('SERVICE_UNAVAILABLE')
    refused(await get(peers.account(), 'solana', 'SOL'), 503)
    peers.away.delete('core-ledger')
  })
})

describe('GET /wallets/:id/token-account', () => {
  test('creates the token account of an asset, and gets it again', async () => {
    const accountId = peers.account()
    const first = expectStatus(await get(accountId, 'Ethereum', 'usdc-eth'), 200)
    expect(first).toMatchObject({ accountId, network: 'ethereum', tokenAddress: usdc.ethereum, assetCode: 'USDC-ETH' })
    expect((await get(accountId, 'ethereum', 'USDC-ETH')).body).toEqual(first)
  })

  test('names the asset that was asked for, also where the token was no asset yet, or another one, when it was made', async () => {
    const accountId = peers.account()
    const made = expectStatus(await post(accountId, { tokenAddress: laterMint }), 201)
    expect(made.assetCode).toBeNull()
    peers.assets.push({ code: 'LATER', blockchain: 'solana', contractAddress: laterMint, decimals: 6 })
    expect((await get(accountId, 'solana', 'later')).body).toEqual({ ...made, assetCode: 'LATER' })
    expect((await post(accountId, { tokenAddress: laterMint })).body).toEqual({ ...made, assetCode: 'LATER' })
    const renamed = peers.assets.findIndex(({ code }) => code === 'LATER')
    peers.assets.splice(renamed, 1, { code: 'NOW', blockchain: 'solana', contractAddress: laterMint, decimals: 6 })
    expect((await get(accountId, 'solana', 'NOW')).body).toEqual({ ...made, assetCode: 'NOW' })
  })

  test('of a paused participant is found, not created: 403, and neither is its wallet', async () => {
    const accountId = peers.account()
    const path = `/wallets/${accountId}/token-account?network=ethereum&assetCode=USDC-ETH`
    const paused = await service.as({ kind: 'participant', participantId: nobody, isPaused: true })
    for (const before of [() => {}, () => service.wallet(accountId, 'ethereum')]) {
      await before()
      expect(refused(await service.get(path, paused), 403).code).toBe('INSTITUTION_PAUSED')
    }
    const other = peers.account()
    refused(await service.get(path.replace(accountId, other), paused), 403)
    expect(peers.watched.some((each) => each.accountId === other)).toBe(false)
    const made = await get(accountId, 'ethereum', 'USDC-ETH')
    expect((await service.get(path, paused)).body).toEqual(made.body)
  })

  test('is the wallet itself for a native coin', async () => {
    const accountId = peers.account()
    const { address: own } = await service.wallet(accountId, 'solana')
    expect((await get(accountId, 'solana', 'SOL')).body).toMatchObject({ tokenAddress: null, address: own })
    expect((await get(accountId, 'ethereum', 'ETH')).body).toMatchObject({ tokenAddress: null, assetCode: 'ETH' })
    expect((await get(accountId, 'stellar', 'PTS')).body).toMatchObject({ tokenAddress: 'points' })
  })

  test('404 for an unknown account or asset', async () => {
    expect(refused(await get(peers.account(), 'polygon', 'USDC-ETH'), 404)).toEqual({
      code: 'NOT_FOUND',
      message: 'Asset USDC-ETH not found on polygon',
    })
    refused(await get(nobody, 'ethereum', 'ETH'), 404)
  })

  test('400 without network or assetCode, or with an invalid id', async () => {
    const { message } = refused(await service.get(`/wallets/${peers.account()}/token-account`), 400)
    expect(message).toBe('network should not be empty; assetCode should not be empty')
    expect(refused(await get('x', 'ethereum', 'ETH'), 400)).toEqual(notUuid)
    refused(await get(peers.account(), 'a%20%24', 'ETH'), 400)
  })
})
