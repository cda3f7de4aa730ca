import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { ExecutionChanged } from '@bursar/contracts/wallet'
import { type Hex, recoverMessageAddress, recoverTypedDataAddress, serializeTransaction } from 'viem'
import { expectStatus, nobody, refused, type TestWallets, testWallets } from './harness'
import { moveSend, stranger, txHash } from './orders'
import { type Peers, startPeers } from './peers'

let peers: Peers
let service: TestWallets
beforeAll(async () => {
  peers = startPeers()
  service = await testWallets(peers)
})
afterAll(async () => {
  await service.close()
  await peers.server.stop()
})

const sign = (body: object, headers: Record<string, string> = {}) =>
  service.post('/internal/portfolio/sign-message', body, { ...service.ledger, ...headers })
const execute = (body: object, headers: Record<string, string> = {}) =>
  service.post('/internal/portfolio/execute', body, { ...service.ledger, ...headers })

async function portfolio() {
  const accountId = peers.account('PORTFOLIO')
  const { address } = await service.wallet(accountId, 'ethereum')
  return { accountId, address: address as Hex }
}

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
  test('PERSONAL_SIGN signs a text as EIP-191 says', async () => {
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

  test('PERSONAL_SIGN signs bytes in hexadecimal, with 0x or without, and UTF-8 unless told', async () => {
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

  test('TYPED_DATA_V4 signs as EIP-712 says', async () => {
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

  test('uses the network of the chain, and makes the wallet where there is none', async () => {
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

  test('404 for an account that is not there, 400 for one that is no active portfolio', async () => {
    const body = { chainId: 1, signMode: 'PERSONAL_SIGN', message: 'x' }
    refused(await sign({ ...body, accountId: nobody }), 404)
    expect(refused(await sign({ ...body, accountId: peers.account('STABLECOINS') }), 400).message).toContain(
      'it must be PORTFOLIO',
    )
    const accountId = peers.account('PORTFOLIO', { status: 'suspended' })
    expect(refused(await sign({ ...body, accountId }), 400).message).toContain('is suspended; only active')
  })

  test('503 while the chain’s network cannot be found out', async () => {
    const fresh = await testWallets(peers)
    peers.away.add('blockchain')
    const body = { accountId: peers.account('PORTFOLIO'), chainId: 1, signMode: 'PERSONAL_SIGN', message: 'x' }
    refused(await fresh.post('/internal/portfolio/sign-message', body, fresh.ledger), 503)
    peers.away.delete('blockchain')
    await fresh.close()
  })
})

/** The blockchain service sends what it is given at once, or says that it cannot. */
const sendsAtOnce = (outcome: { status: 'broadcast'; txHash: string } | { status: 'failed'; reason: string }) =>
  peers.fault(async (request, usual) => {
    if (request.method !== 'POST' || !request.url.endsWith('/internal/sends')) return usual()
    const { id } = (await request.clone().json()) as { id: string }
    await usual()
    const send = peers.sends.get(id)
    if (send) send.state = { ...send.state, ...outcome }
    return Response.json(send?.state)
  })

describe('POST /internal/portfolio/execute', () => {
  const transactionData = { to: stranger, value: '0x10', data: '0xdeadbeef', gas: '0x5208' }

  test('has the transaction sent unchanged, and answers its hash', async () => {
    const { accountId, address } = await portfolio()
    sendsAtOnce({ status: 'broadcast', txHash: txHash(9) })
    const executed = expectStatus(await execute({ accountId, chainId: 1, transactionData }), 200)
    peers.fault(null)
    expect(executed).toEqual({ transactionId: expect.any(String), txHash: txHash(9) })
    expect(peers.sends.get(executed.transactionId)?.order).toEqual({
      id: executed.transactionId,
      network: 'ethereum',
      from: address,
      to: stranger,
      contractAddress: null,
      amount: '16',
      decimals: 18,
      feePayer: null,
      transactionData,
    })
    const said = (await service.eventsNamed(ExecutionChanged.name)).map(
      ({ data }) => data as { id: string; status: string },
    )
    expect(said.filter(({ id }) => id === executed.transactionId).map(({ status }) => status)).toEqual([
      'accepted',
      'broadcast',
    ])
    refused(await service.get(`/internal/withdrawals/${executed.transactionId}`, service.ledger), 404)
  })

  test('its transaction is signed when it says the same, and not otherwise', async () => {
    const { accountId, address } = await portfolio()
    sendsAtOnce({ status: 'broadcast', txHash: txHash(9) })
    const { transactionId } = expectStatus(await execute({ accountId, chainId: 1, transactionData }), 200)
    peers.fault(null)
    const fees = { type: 'eip1559', chainId: 1, nonce: 0, gas: 21_000n, maxFeePerGas: 10n ** 9n } as const
    const same = { ...fees, to: stranger as Hex, value: 16n, data: '0xdeadbeef' as Hex }
    const ask = (tx: typeof same) =>
      service.post(
        '/internal/sign-transaction',
        { orderId: transactionId, network: 'ethereum', signers: [address], unsigned: serializeTransaction(tx) },
        service.chain,
      )
    expectStatus(await ask(same), 200)
    refused(await ask({ ...same, value: 17n }), 422)
    refused(await ask({ ...same, data: '0xdeadbeee' }), 422)
    refused(await ask({ ...same, to: address }), 422)
  })

  test('is the same execution again under the same key; another one under it is refused', async () => {
    const { accountId } = await portfolio()
    const key = { 'idempotency-key': Bun.randomUUIDv7() }
    sendsAtOnce({ status: 'broadcast', txHash: txHash(9) })
    const first = expectStatus(await execute({ accountId, chainId: 1, transactionData }, key), 200)
    expect((await execute({ accountId, chainId: 1, transactionData }, key)).body).toEqual(first)
    refused(await execute({ accountId, chainId: 1, transactionData: { to: stranger } }, key), 422)
    expect((await execute({ accountId, chainId: 1, transactionData })).body.transactionId).not.toBe(first.transactionId)
    peers.fault(null)
  })

  test('504 when it is not sent in time; a repeat with its key waits on, and sends it once', async () => {
    const { accountId } = await portfolio()
    const key = { 'idempotency-key': Bun.randomUUIDv7() }
    const before = peers.sends.size
    const body = { accountId, chainId: 1, transactionData }
    expect(refused(await execute(body, key), 504).code).toBe('UPSTREAM_TIMEOUT')
    const other = { ...body, transactionData: { ...transactionData, value: '0x11' } }
    expect(refused(await execute(other, key), 422).message).toBe(
      'This Idempotency-Key was used for another transaction',
    )
    const id = [...peers.sends.keys()].at(-1) ?? ''
    await moveSend(service, peers, { id, status: 'broadcast', txHash: txHash(5) })
    expect(expectStatus(await execute(body, key), 200)).toEqual({ transactionId: id, txHash: txHash(5) })
    expect(peers.sends.size).toBe(before + 1)
  }, 20_000)

  test('422 with the chain’s reason when it fails', async () => {
    const { accountId } = await portfolio()
    sendsAtOnce({ status: 'failed', reason: 'execution reverted: paused' })
    expect(refused(await execute({ accountId, chainId: 1, transactionData }), 422).message).toBe(
      'execution reverted: paused',
    )
    peers.fault(null)
  })

  test('400 for what is no transaction, or another sender’s', async () => {
    const { accountId, address } = await portfolio()
    const ask = (fields: object) => execute({ accountId, chainId: 1, transactionData: { to: stranger, ...fields } })
    const bodies: [object, string][] = [
      [{ to: undefined }, 'transactionData.to must be an EVM address'],
      [{ to: 'x' }, 'transactionData.to must be an EVM address'],
      [{ value: 'ten' }, 'transactionData.value must be a whole number of wei'],
      [{ value: -1 }, 'transactionData.value must be a whole number of wei'],
      [{ value: 1.5 }, 'transactionData.value must be a whole number of wei'],
      [{ value: `0x1${'0'.repeat(64)}` }, 'transactionData.value must be a whole number of wei'],
      [{ data: 'abc' }, 'transactionData.data must be hexadecimal'],
      [{ data: '0x0' }, 'transactionData.data must be hexadecimal'],
      [{ data: '0x00', input: '0x01' }, 'transactionData.data and input must not differ'],
      [{ from: stranger }, `transactionData.from must be ${address}`],
      [{ from: 7 }, 'transactionData.from must be an EVM address'],
    ]
    for (const [fields, words] of bodies) expect(refused(await ask(fields), 400).message).toStartWith(words)
    refused(await execute({ accountId, chainId: 1, transactionData: [] }), 400)
  })

  test('404, 400 and 422 for accounts and chains, as sign-message has them', async () => {
    refused(await execute({ accountId: nobody, chainId: 1, transactionData }), 404)
    refused(await execute({ accountId: peers.account(), chainId: 1, transactionData }), 400)
    refused(await execute({ accountId: peers.account('PORTFOLIO'), chainId: 424242, transactionData }), 422)
  })
})
