import { comparableAddress } from '@bursar/contracts/address'
import { formatAmount } from '@bursar/money'
import type { OpenStore, Tx } from '@bursar/store'
import { tokenKey } from '../comparable'
import { hashText } from '../forms'
import type { Attempt, Draft, Drafted, Fate, NetworkSettings, Outcome, Sending, SendOrder } from '../network'
import { addBlock, balanceOf, findTransaction, headOf, type Movement, nonceOf } from './blocks'

/** Sends transactions on a simulated network: at once, each batch in its own block. There are no fees. */
export const simulatedSending = (network: NetworkSettings, store: OpenStore, clock: () => Date): Sending => ({
  async draft({ sender, orders, nextNonce, inFlight }) {
    let nonce = Math.max(nextNonce ?? 0, await nonceOf(store.read, network.name, sender))
    const taken = new Map<string, bigint>()
    // In flight, but already paid: with 12 confirmations it is final much later.
    const unpaid = await Promise.all(inFlight.map(({ attempt }) => isAbsent(store, network, attempt)))
    for (const [i, { order }] of inFlight.entries()) if (unpaid[i]) take(taken, order)
    const drafted: Drafted[] = []
    for (const order of orders) {
      const token = tokenKey(order.contractAddress)
      const held = await balanceOf(store.read, network.name, comparableAddress(order.fromAddress), token)
      const free = held - (taken.get(token) ?? 0n)
      if (held < order.amount) drafted.push({ refused: tooLittle(order, held) })
      else if (free < order.amount) drafted.push({ waiting: tooLittle(order, free) })
      else {
        take(taken, order)
        drafted.push({ draft: draftOf(network, order, nonce) })
        nonce += 1
      }
    }
    return drafted
  },

  async hashOf(draft, signed) {
    const wanted = JSON.parse(draft.unsigned) as Record<string, unknown>
    const given = parseJson(signed) as Record<string, unknown> | undefined
    const isSame = Object.entries(wanted).every(([name, value]) => given?.[name] === value)
    if (!isSame) throw new Error('The wallet service signed another transaction than was asked for')
    return hashText(network.form, draft.unsigned)
  },

  broadcast: (attempts) =>
    store.commit(async (tx) => {
      const known = await Promise.all(attempts.map(({ txHash }) => findTransaction(tx, network.name, txHash)))
      const fresh = attempts.filter((_, i) => !known[i])
      const movements = fresh.map(movementOf)
      await assertInOrder(tx, network.name, movements)
      if (movements.length > 0) await addBlock(tx, network, movements, clock())
    }),

  async outcomes(attempts) {
    const head = await headOf(store.read, network.name)
    return await Promise.all(
      attempts.map(async ({ txHash }): Promise<Outcome> => {
        const found = await findTransaction(store.read, network.name, txHash)
        if (!found) return { is: 'absent' }
        if (head - found.block + 1 < network.confirmations) return { is: 'included' }
        return found.failure === null ? { is: 'confirmed' } : { is: 'reverted', reason: found.failure }
      }),
    )
  },

  dearer: async () => null,
  lossOf: async () => 'none',

  async fates(signed) {
    const head = await headOf(store.read, network.name)
    return await Promise.all(
      signed.map(async ({ txHash, isHandedOver }): Promise<Fate> => {
        const found = await findTransaction(store.read, network.name, txHash)
        if (!found && isHandedOver) return { fate: 'open', reason: 'It waits for its block' }
        if (!found) return { fate: 'dead', reason: 'The simulated network has never been handed it' }
        if (head - found.block + 1 < network.confirmations) {
          return { fate: 'open', reason: 'It is in a block that is not final' }
        }
        return found.failure === null ? { fate: 'final', reason: null } : { fate: 'reverted', reason: found.failure }
      }),
    )
  },
})

/** The content of a simulated transaction, which is signed as it is. */
interface Unsigned {
  network: string
  nonce: number
  from: string
  to: string
  contractAddress: string | null
  amount: string
  orderId: string
}

function draftOf(network: NetworkSettings, order: SendOrder, nonce: number): Draft {
  const unsigned: Unsigned = {
    network: network.name,
    nonce,
    from: order.fromAddress,
    to: order.toAddress,
    contractAddress: order.contractAddress,
    amount: order.amount.toString(),
    orderId: order.id,
  }
  return { unsigned: JSON.stringify(unsigned), signers: [order.fromAddress], nonce, expiresAt: null }
}

function movementOf({ unsigned, txHash }: Attempt): Movement {
  const { from, to, contractAddress, amount, nonce } = JSON.parse(unsigned) as Unsigned
  return { txHash, fromAddress: from, toAddress: to, contractAddress, amount: BigInt(amount), nonce }
}

/** Fails for a gap in a sender's nonces, or a used one: a chain accepts each once, in order. */
async function assertInOrder(tx: Tx, network: string, movements: readonly Movement[]): Promise<void> {
  const next = new Map<string, number>()
  for (const { fromAddress, nonce, txHash } of movements) {
    const sender = comparableAddress(fromAddress)
    const expected = next.get(sender) ?? (await nonceOf(tx, network, sender))
    if (nonce !== expected)
      throw new Error(`${txHash} has the nonce ${nonce}, and ${expected} is the next one of ${sender}`)
    next.set(sender, expected + 1)
  }
}

const isAbsent = async (store: OpenStore, network: NetworkSettings, { txHash }: Attempt): Promise<boolean> =>
  (await findTransaction(store.read, network.name, txHash)) === null

function take(taken: Map<string, bigint>, { contractAddress, amount }: SendOrder): void {
  const token = tokenKey(contractAddress)
  taken.set(token, (taken.get(token) ?? 0n) + amount)
}

const tooLittle = ({ fromAddress, amount, decimals }: SendOrder, held: bigint): string =>
  `insufficient funds: ${fromAddress} holds ${formatAmount(held, decimals)}, and ${formatAmount(amount, decimals)} is to be sent`

/** Parses JSON; undefined if invalid. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
