import { beforeAll, describe, expect, test } from 'bun:test'
import { createPublicKey, verify } from 'node:crypto'
import { base58 } from '@scure/base'
import {
  AccountRole,
  type Address,
  address,
  appendTransactionMessageInstructions,
  type Blockhash,
  compileTransactionMessage,
  createTransactionMessage,
  getAddressEncoder,
  getBase64EncodedWireTransaction,
  getCompiledTransactionMessageEncoder,
  getProgramDerivedAddress,
  getTransactionDecoder,
  type Instruction,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit'
import { signatures } from '../src/orders/signatures.table'
import { expectStatus, hot, refused } from './harness'
import { order, start } from './orders'
import { sharedWallets } from './own-wallets'

const system = address('11111111111111111111111111111111')
const tokens = address('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA')
const associatedProgram = address('ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL')
const budget = address('ComputeBudget111111111111111111111111111111')
const mint = address('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v')
const them = address('HAgk14JpMQLgt6rVgv7cBQFJWFto5Dqxi472uT3DKpqk')
const others = address('Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB')
const memo = address('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr')
const us = address(hot.solana)

const { peers, service } = await sharedWallets()
beforeAll(async () => {
  peers.hold('solana', hot.solana, { native: '1000000000000', [mint]: '1000000000' })
})

async function associated(owner: Address, of: Address = mint): Promise<Address> {
  const bytes = getAddressEncoder()
  const seeds = [owner, tokens, of].map((each) => bytes.encode(each))
  return (await getProgramDerivedAddress({ programAddress: associatedProgram, seeds }))[0]
}

const { READONLY, WRITABLE, WRITABLE_SIGNER, READONLY_SIGNER } = AccountRole
const u64 = (value: bigint) => {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(value)
  return bytes
}
const coins = (from: Address, to: Address, amount: bigint): Instruction => ({
  programAddress: system,
  accounts: [
    { address: from, role: WRITABLE_SIGNER },
    { address: to, role: WRITABLE },
  ],
  data: Buffer.concat([Buffer.of(2, 0, 0, 0), u64(amount)]),
})
async function tokenTransfer(from: Address, to: Address, amount: bigint, decimals = 6): Promise<Instruction> {
  return {
    programAddress: tokens,
    accounts: [
      { address: await associated(from), role: WRITABLE },
      { address: mint, role: READONLY },
      { address: await associated(to), role: WRITABLE },
      { address: from, role: READONLY_SIGNER },
    ],
    data: Buffer.concat([Buffer.of(12), u64(amount), Buffer.of(decimals)]),
  }
}
async function makeAccount(payer: Address, owner: Address, of: Address = mint): Promise<Instruction> {
  return {
    programAddress: associatedProgram,
    accounts: [
      { address: payer, role: WRITABLE_SIGNER },
      { address: await associated(owner, of), role: WRITABLE },
      { address: owner, role: READONLY },
      { address: of, role: READONLY },
      { address: system, role: READONLY },
      { address: tokens, role: READONLY },
    ],
    data: Buffer.of(1),
  }
}
/** A token's transfer with another account in one place. */
async function transferWith(place: number): Promise<Instruction> {
  const { accounts = [], ...rest } = await tokenTransfer(us, them, 2_500_000n)
  return {
    ...rest,
    accounts: accounts.map((each, i) => (i === place ? { ...each, address: others } : each)),
  } as Instruction
}
const price = (microLamports: bigint): Instruction => ({
  programAddress: budget,
  data: Buffer.concat([Buffer.of(3), u64(microLamports)]),
})

function message(instructions: Instruction[], feePayer = us): string {
  const blockhash = base58.encode(new Uint8Array(32).fill(9)) as Blockhash
  const built = pipe(
    createTransactionMessage({ version: 0 }),
    (tx) => setTransactionMessageFeePayer(feePayer, tx),
    (tx) => setTransactionMessageLifetimeUsingBlockhash({ blockhash, lastValidBlockHeight: 1n }, tx),
    (tx) => appendTransactionMessageInstructions(instructions, tx),
  )
  return Buffer.from(getCompiledTransactionMessageEncoder().encode(compileTransactionMessage(built))).toString('base64')
}

/** An order of 2.5 of the coin or the token, to them, that the hot wallet pays unless an account is named. */
async function handedOver(fields: Partial<Parameters<typeof order>[0]> = {}) {
  const { id } = await start(
    service,
    order({ network: 'solana', destinationAddress: them, amount: '2.5', decimals: 9, ...fields }),
  )
  await service.drive()
  const sent = peers.sends.get(id)?.order
  if (!sent) throw new Error('not handed over')
  return sent
}
const asToken = { contractAddress: mint, decimals: 6 }
const sign = (orderId: string, unsigned: string, signers: string[] = [us]) =>
  service.post('/internal/sign-transaction', { orderId, network: 'solana', signers, unsigned }, service.chain)

function isSignedBy(signer: string, bytes: Uint8Array, signature: Uint8Array): boolean {
  const x = Buffer.from(base58.decode(signer)).toString('base64url')
  return verify(null, bytes, createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' }), signature)
}

describe('POST /internal/sign-transaction on Solana', () => {
  test('signs a payment of coins; the wire form is the library’s', async () => {
    const { id } = await handedOver()
    const unsigned = message([price(1000n), coins(us, them, 2_500_000_000n)])
    const { signed, txHash } = expectStatus(await sign(id, unsigned), 200)
    const decoded = getTransactionDecoder().decode(Buffer.from(signed, 'base64'))
    const signature = decoded.signatures[us]
    expect(Buffer.from(Uint8Array.from(decoded.messageBytes)).toString('base64')).toBe(unsigned)
    expect(signature && isSignedBy(us, Buffer.from(unsigned, 'base64'), signature)).toBe(true)
    expect(txHash).toBe(base58.encode(signature as Uint8Array))
    const rows = await service.deps.store.read.select().from(signatures)
    expect(rows.find(({ orderId }) => orderId === id)).toMatchObject({
      sender: us,
      nonce: null,
      blockhash: base58.encode(new Uint8Array(32).fill(9)),
      txHash,
    })
    expect(getBase64EncodedWireTransaction(decoded) as string).toBe(signed)
  })

  test('signs a token’s transfer with the fee payer’s key and the payer’s', async () => {
    const accountId = peers.account()
    const payer = address((await service.wallet(accountId, 'solana')).address)
    peers.hold('solana', payer, { [mint]: '2500000' })
    const { id, from, feePayer } = await handedOver({ ...asToken, accountId })
    expect({ from, feePayer }).toEqual({ from: payer, feePayer: us })
    const unsigned = message([await makeAccount(us, them), await tokenTransfer(payer, them, 2_500_000n)])
    const { signed, txHash } = expectStatus(await sign(id, unsigned, [us, payer]), 200)
    const { signatures } = getTransactionDecoder().decode(Buffer.from(signed, 'base64'))
    expect(Object.keys(signatures)).toEqual([us, payer])
    for (const [signer, signature] of Object.entries(signatures)) {
      expect(signature && isSignedBy(signer, Buffer.from(unsigned, 'base64'), signature)).toBe(true)
    }
    const transfer = await tokenTransfer(payer, them, 2_500_000n)
    const others = [...(transfer.accounts?.slice(0, 3) ?? []), { address: us, role: READONLY_SIGNER }]
    const memoOfPayer = {
      programAddress: memo,
      accounts: [{ address: payer, role: READONLY_SIGNER }],
      data: Buffer.of(65),
    }
    refused(await sign(id, message([{ ...transfer, accounts: others }, memoOfPayer]), [us, payer]), 422)
    // Two messages of one blockhash can both be mined.
    refused(await sign(id, message([transfer, memoOfPayer]), [us, payer]), 409)
    peers.fates.set(txHash, 'dead')
    expectStatus(await sign(id, message([transfer, memoOfPayer]), [us, payer]), 200)
    refused(await sign(id, unsigned, [us]), 422)
    refused(await sign(id, unsigned, [payer, us]), 422)
  })

  test('422 for a payment of coins that the fee payer would pay, in the payer’s place', async () => {
    const accountId = peers.account()
    const payer = address((await service.wallet(accountId, 'solana')).address)
    peers.hold('solana', payer, { native: '5000000000' })
    const { id, from, feePayer } = await handedOver({ accountId })
    expect({ from, feePayer }).toEqual({ from: payer, feePayer: us })
    const byPayer = { programAddress: memo, accounts: [{ address: payer, role: READONLY_SIGNER }], data: Buffer.of(65) }
    const { message: words } = refused(
      await sign(id, message([coins(us, them, 2_500_000_000n), byPayer]), [us, payer]),
      422,
    )
    expect(words).toContain('an instruction that is not the order’s transfer')
    expectStatus(await sign(id, message([coins(payer, them, 2_500_000_000n), byPayer]), [us, payer]), 200)
  })

  test.each([
    ['another recipient', async () => [coins(us, others, 2_500_000_000n)]],
    ['another amount', async () => [coins(us, them, 2_500_000_001n)]],
    ['the payment twice', async () => [coins(us, them, 2_500_000_000n), coins(us, them, 2_500_000_000n)]],
    ['nothing', async () => [price(1000n)]],
    [
      'another instruction',
      async () => [coins(us, them, 2_500_000_000n), { programAddress: others, data: Buffer.of(1) }],
    ],
    ['a memo that pays nothing', async () => [{ programAddress: memo, data: Buffer.from('hello') }]],
    ['a token', async () => [await tokenTransfer(us, them, 2_500_000_000n)]],
    ['a token account of others', async () => [await makeAccount(us, others), coins(us, them, 2_500_000_000n)]],
    ['a fee beyond bounds', async () => [price(100_000_000n), coins(us, them, 2_500_000_000n)]],
    [
      'an odd compute budget',
      async () => [{ programAddress: budget, data: Buffer.of(1, 0, 0, 0, 0) }, coins(us, them, 2_500_000_000n)],
    ],
    [
      'a system call that is no transfer',
      async () => [
        { ...coins(us, them, 2_500_000_000n), data: Buffer.concat([Buffer.of(1, 0, 0, 0), u64(2_500_000_000n)]) },
      ],
    ],
  ])('422 for a payment of coins with %s', async (_, instructions) => {
    const { id } = await handedOver()
    const { code, message: words } = refused(await sign(id, message(await instructions())), 422)
    expect(code).toBe('UNPROCESSABLE')
    expect(words).toStartWith('The transaction is not signed: it')
  })

  test.each([
    ['another recipient', () => tokenTransfer(us, others, 2_500_000n)],
    ['another amount', () => tokenTransfer(us, them, 2_500_001n)],
    ['other decimals', () => tokenTransfer(us, them, 2_500_000n, 7)],
    ['the coins instead', async () => coins(us, them, 2_500_000n)],
    [
      'an approval',
      async () => ({
        ...(await tokenTransfer(us, them, 2_500_000n)),
        data: Buffer.concat([Buffer.of(13), u64(2_500_000n), Buffer.of(6)]),
      }),
    ],
    ['another source', () => transferWith(0)],
    ['another mint', () => transferWith(1)],
    [
      'an account more than a transfer has',
      async () => {
        const { accounts = [], ...rest } = await tokenTransfer(us, them, 2_500_000n)
        return { ...rest, accounts: [...accounts, { address: others, role: READONLY }] }
      },
    ],
  ])('422 for a token’s order with %s', async (_, instruction) => {
    const { id } = await handedOver(asToken)
    refused(await sign(id, message([await instruction()])), 422)
  })

  test('422 for a token’s order that makes the receiver an account of another token', async () => {
    const { id } = await handedOver(asToken)
    const transfer = await tokenTransfer(us, them, 2_500_000n)
    refused(await sign(id, message([await makeAccount(us, them, others), transfer])), 422)
    expectStatus(await sign(id, message([await makeAccount(us, them), transfer])), 200)
  })

  test('422 for other signers, other fee payers, and an invalid message', async () => {
    const { id } = await handedOver()
    const payment = coins(us, them, 2_500_000_000n)
    refused(await sign(id, message([payment], others)), 422)
    const extra = { ...payment, accounts: [...(payment.accounts ?? []), { address: others, role: READONLY_SIGNER }] }
    refused(await sign(id, message([extra])), 422)
    for (const unsigned of [
      '',
      'hello',
      '{}',
      `${Buffer.concat([Buffer.from(message([payment]), 'base64'), Buffer.of(0)]).toString('base64')}`,
    ]) {
      refused(await sign(id, unsigned), 422)
    }
  })
})
