import { describe, expect, test } from 'bun:test'
import { eq } from '@bursar/store'
import { type Hex, recoverMessageAddress, recoverTypedDataAddress } from 'viem'
import { wallets } from '../src/wallets/wallets.table'
import { expectStatus, nobody, refused, testWallets } from './harness'
import { portfolioAccount } from './orders'
import { sharedWallets } from './own-wallets'

const { peers, service } = await sharedWallets()

const sign = (body: object, headers: Record<string, string> = {}) =>
  service.post('/internal/portfolio/sign-message', body, { ...service.ledger, ...headers })
const portfolio = () => portfolioAccount({ peers, service })

/** The example of EIP-712. */
const mail = {
  domain: {
    name: 'Ether Mail',
    version: '1',
    chainId: 1,
    verifyingContract: '0xCcCCccccCCCCcCCCCCCcCcCccCcCCCcCcccccccC',
  },
  types: {
    EIP712Domain: [
      { name: 'name', type: 'string' },
      { name: 'version', type: 'string' },
      { name: 'chainId', type: 'uint256' },
      { name: 'verifyingContract', type: 'address' },
    ],
    Person: [
      { name: 'name', type: 'string' },
      { name: 'wallet', type: 'address' },
    ],
    Mail: [
      { name: 'from', type: 'Person' },
      { name: 'to', type: 'Person' },
      { name: 'contents', type: 'string' },
    ],
  },
  typedDataMessage: {
    from: { name: 'Cow', wallet: '0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826' },
    to: { name: 'Bob', wallet: '0xbBbBBBBbbBBBbbbBbbBbbbbBBbBbbbbBbBbbBBbB' },
    contents: 'Hello, Bob!',
  },
}

describe('POST /internal/portfolio/sign-message', () => {
  test('PERSONAL_SIGN signs a text by EIP-191', async () => {
    const { accountId, address } = await portfolio()
    const body = { accountId, chainId: 1, signMode: 'PERSONAL_SIGN', message: 'Hello World', messageEncoding: 'UTF8' }
    const signed = expectStatus(await sign(body), 200)
    expect(signed).toEqual({
      signature: expect.stringMatching(/^0x[0-9a-f]{130}$/),
      r: signed.signature.slice(0, 66),
      s: `0x${signed.signature.slice(66, 130)}`,
      v: Number(`0x${signed.signature.slice(130)}`),
      // The vector that ethers and web3 publish.
      messageHash: '0xa1de988600a42c4b4ab089b619297c17d53cffae5d5120d82d8a92d0bb3b78f2',
      message: 'Hello World',
      walletAddress: address,
      network: 'ethereum',
      signMode: 'personal_sign',
      status: 'completed',
      completedAt: expect.any(String),
    })
    expect([27, 28]).toContain(signed.v)
    expect(await recoverMessageAddress({ message: 'Hello World', signature: signed.signature })).toBe(address)
  })

  test('PERSONAL_SIGN signs hexadecimal bytes, with 0x or without, and UTF-8 by default', async () => {
    const { accountId, address } = await portfolio()
    const body = { accountId, chainId: 1, signMode: 'PERSONAL_SIGN' }
    for (const message of ['0x00ff', '00FF', '0x']) {
      const { signature } = expectStatus(await sign({ ...body, message, messageEncoding: 'HEX' }), 200)
      const raw = `0x${message.replace('0x', '').toLowerCase()}` as Hex
      expect(await recoverMessageAddress({ message: { raw }, signature })).toBe(address)
    }
    const { signature } = expectStatus(await sign({ ...body, message: 'grüß Gott 🙂\n' }), 200)
    expect(await recoverMessageAddress({ message: 'grüß Gott 🙂\n', signature })).toBe(address)
  })

  test('TYPED_DATA_V4 signs by EIP-712', async () => {
    const { accountId, address } = await portfolio()
    const signed = expectStatus(await sign({ accountId, chainId: 1, signMode: 'TYPED_DATA_V4', ...mail }), 200)
    expect(signed.messageHash).toBe('0xbe609aee343fb3c4b28e1df9e632fca64fcfaede20f02e86244efddf30957bd2')
    expect(signed.signMode).toBe('typed_data_v4')
    const { EIP712Domain: _, ...types } = mail.types
    const typed = { domain: mail.domain, types, primaryType: 'Mail', message: mail.typedDataMessage }
    // biome-ignore lint/suspicious/noExplicitAny: viem types the data by literal types that JSON does not have
    expect(await recoverTypedDataAddress({ ...(typed as any), signature: signed.signature })).toBe(address)
    expect(JSON.parse(signed.message)).toMatchObject({ primaryType: 'Mail', message: mail.typedDataMessage })
  })

  test('uses the network of the chain, and creates the wallet if there is none', async () => {
    const accountId = peers.account('PORTFOLIO')
    const body = { accountId, chainId: 137, signMode: 'PERSONAL_SIGN', message: 'x' }
    const { network, walletAddress } = expectStatus(await sign(body), 200)
    expect(network).toBe('polygon')
    expect((await service.wallet(accountId, 'polygon')).address).toBe(walletAddress)
  })

  test('422 for a mode, an encoding or a chain that is not supported', async () => {
    const { accountId } = await portfolio()
    const body = { accountId, chainId: 1, signMode: 'PERSONAL_SIGN', message: 'x' }
    for (const fields of [
      { signMode: 'ETH_SIGN' },
      { signMode: 'personal_sign' },
      { signMode: 'toString' },
      { messageEncoding: 'BASE64' },
      { chainId: 424242 },
    ]) {
      expect(refused(await sign({ ...body, ...fields }), 422).code).toBe('UNPROCESSABLE')
    }
    peers.networks.push({ name: 'solana-devnet', kind: 'solana', chainId: 103, nativeCode: 'SOL', nativeDecimals: 9 })
    refused(await sign({ ...body, chainId: 103 }), 422)
  })

  test('400 for messages that cannot be signed in their mode', async () => {
    const { accountId } = await portfolio()
    const text = { accountId, chainId: 1, signMode: 'PERSONAL_SIGN' }
    const typed = { accountId, chainId: 1, signMode: 'TYPED_DATA_V4', ...mail }
    const { Mail, Person } = mail.types
    const bodies: [object, string][] = [
      [text, 'message is required for PERSONAL_SIGN'],
      [{ ...text, message: '0x0', messageEncoding: 'HEX' }, 'message must be hexadecimal, two digits for each byte'],
      [{ ...text, message: 'zz', messageEncoding: 'HEX' }, 'message must be hexadecimal, two digits for each byte'],
      [{ ...typed, domain: undefined }, 'domain is required for TYPED_DATA_V4'],
      [{ ...typed, types: undefined }, 'types is required for TYPED_DATA_V4'],
      [{ ...typed, typedDataMessage: undefined }, 'typedDataMessage is required for TYPED_DATA_V4'],
      [{ ...typed, chainId: 137 }, 'domain.chainId must be 137, as chainId is'],
      [{ ...typed, types: {} }, 'types must be lists of {name, type}'],
      [{ ...typed, types: { Mail: 'string' } }, 'types must be lists of {name, type}'],
      [{ ...typed, types: { Mail: [null] } }, 'types must be lists of {name, type}'],
      [{ ...typed, types: { Mail, Person, Other: Person } }, 'types must be lists of {name, type}'],
      [{ ...typed, types: { Mail } }, 'The typed data cannot be hashed'],
      [{ ...typed, typedDataMessage: {} }, 'The typed data cannot be hashed'],
      [
        { ...typed, types: { A: [{ name: 'n', type: 'uint8' }] }, typedDataMessage: { n: 256 } },
        'The typed data cannot be hashed',
      ],
      [
        { ...typed, types: { A: [{ name: 'n', type: 'nonsense' }] }, typedDataMessage: { n: 1 } },
        'The typed data cannot be hashed',
      ],
    ]
    for (const [body, words] of bodies) expect(refused(await sign(body), 400).message).toStartWith(words)
  })

  test('what cannot be hashed is said in words about the request, never in those of the code', async () => {
    const { accountId } = await portfolio()
    const text = 'The typed data cannot be hashed: a value does not fit its type'
    const bodies: [string, unknown, string][] = [
      ['A', { n: 1 }, text],
      ['uint8[]', { n: 5 }, text],
      ['string', { n: null }, text],
      ['uint256', { n: 'abc' }, text],
      ['uint256', { n: null }, text],
      ['bytes', { n: 5 }, text],
      ['address', { n: '0x1' }, 'The typed data cannot be hashed: Address "0x1" is invalid.'],
    ]
    for (const [type, typedDataMessage, words] of bodies) {
      const body = { accountId, chainId: 1, signMode: 'TYPED_DATA_V4', domain: mail.domain, typedDataMessage }
      expect(refused(await sign({ ...body, types: { A: [{ name: 'n', type }] } }), 400).message).toBe(words)
    }
  })

  test('404 for an unknown account, 400 for one that is not an active portfolio', async () => {
    const body = { chainId: 1, signMode: 'PERSONAL_SIGN', message: 'x' }
    refused(await sign({ ...body, accountId: nobody }), 404)
    expect(refused(await sign({ ...body, accountId: peers.account('STABLECOINS') }), 400).message).toContain(
      'it must be PORTFOLIO',
    )
    const accountId = peers.account('PORTFOLIO', { status: 'suspended' })
    expect(refused(await sign({ ...body, accountId }), 400).message).toContain('is suspended; only active')
  })

  test('keys of other accounts never sign a message: pooled, omnibus, fee payer, or one at a portfolio’s address', async () => {
    const body = { chainId: 1, signMode: 'PERSONAL_SIGN', message: 'x' }
    for (const type of ['STABLECOINS', 'OMNIBUS', 'FEE_PAYER'] as const) {
      const accountId = peers.account(type)
      await service.wallet(accountId, 'ethereum')
      refused(await sign({ ...body, accountId }), 400)
      refused(await sign({ accountId, chainId: 1, signMode: 'TYPED_DATA_V4', ...mail }), 400)
    }
    const { accountId, address } = await portfolio()
    const [row] = await service.deps.store.read.select().from(wallets).where(eq(wallets.accountId, accountId))
    if (!row) throw new Error('no wallet')
    // As it would be if two accounts ever came to one key.
    const shared = { ...row, id: Bun.randomUUIDv7(), accountId: peers.account(), network: 'base' }
    await service.deps.store.commit(async (tx) => void (await tx.insert(wallets).values(shared)))
    expect(refused(await sign({ ...body, accountId }), 422).message).toContain(`${address} is the address of another`)
  })

  test('503 while the chain’s network is unknown', async () => {
    const fresh = await testWallets(peers)
    peers.away.add('blockchain')
    const body = { accountId: peers.account('PORTFOLIO'), chainId: 1, signMode: 'PERSONAL_SIGN', message: 'x' }
    refused(await fresh.post('/internal/portfolio/sign-message', body, fresh.ledger), 503)
    peers.away.delete('blockchain')
    await fresh.close()
  })
})
