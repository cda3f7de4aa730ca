import { type LocalServer, localServer } from '@bursar/testing'
import {
  type Address,
  getBase64Decoder,
  getBase64Encoder,
  getCompiledTransactionMessageDecoder,
  getSignatureFromTransaction,
  getTransactionDecoder,
} from '@solana/kit'
import { getTokenDecoder, TOKEN_PROGRAM_ADDRESS } from '@solana-program/token'
import { FailedTransactionMetadata, LiteSVM } from 'litesvm'
import { type SolanaLedger, solanaLedger } from './solana-ledger'

/** Mainnet's own, so that the default setting takes it. */
export const genesis = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d'

interface Behaviour {
  /** Whether what is handed over is lost. */
  loses: boolean
  /** Whether it does not take a transaction with this account. */
  refuses: string | null
  /** How many blocks its final ones are behind: it knows no newer blockhash as final. */
  lag: number
  /** Since when it has blocks, in seconds; 0: since the first one. */
  firstAt: number
  /** The first of them, when it does not have all. */
  firstSlot: number
  genesisHash: string
  /** The signatures of what was handed over, oldest first. */
  handedOver: string[]
  /** What a call waits for before it is answered. */
  before(method: string, config: { commitment?: string } | undefined): Promise<void> | undefined
}

/** A node of Solana: JSON-RPC over HTTP, as far as it is asked here, over litesvm. What is final the test says. */
export type SolanaNode = LocalServer & SolanaLedger & Behaviour

class Refusal extends Error {
  override name = 'Refusal'
}

type Methods = Record<string, (...params: never[]) => unknown>

export function solanaNode(): SolanaNode {
  const ledger = solanaLedger()
  const behaviour: Behaviour = {
    loses: false,
    refuses: null,
    lag: 0,
    firstAt: 0,
    firstSlot: 900,
    genesisHash: genesis,
    handedOver: [],
    before: () => undefined,
  }
  const methods: Methods = { ...accountMethods(ledger), ...transactionMethods(ledger, behaviour) }
  const server = localServer(async (request) => {
    const { id, method, params } = (await request.json()) as { id: string; method: string; params: never[] }
    try {
      const answer = methods[method]
      if (!answer) throw new Error(`${method} is not served`)
      await node.before(method, params[0])
      return Response.json({ jsonrpc: '2.0', id, result: answer(...params) })
    } catch (error) {
      // That of a failed preflight has data with it.
      const code = error instanceof Refusal ? -32_602 : -32_002
      return Response.json({ jsonrpc: '2.0', id, error: { code, message: String(error) } })
    }
  })
  const node = Object.assign(behaviour, ledger, server)
  return node
}

const withContext = ({ slot }: SolanaLedger, value: unknown) => ({
  context: { slot: slot(), apiVersion: '2.0.0' },
  value,
})
const decode = (wire: string) => getTransactionDecoder().decode(getBase64Encoder().encode(wire))

function accountMethods(ledger: SolanaLedger): Methods {
  const { svm, decimalsOf } = ledger
  const parsed = (bytes: Parameters<ReturnType<typeof getTokenDecoder>['decode']>[0]) => {
    const { mint, owner, amount } = getTokenDecoder().decode(bytes)
    const tokenAmount = { amount: String(amount), decimals: decimalsOf(mint), uiAmountString: String(amount) }
    return { program: 'spl-token', space: 165, parsed: { type: 'account', info: { mint, owner, tokenAmount } } }
  }
  const shown = (key: Address, encoding = 'base64') => {
    const account = svm.getAccount(key)
    if (!account.exists) return null
    const { executable, programAddress: owner, lamports } = account
    const data = encoding === 'jsonParsed' ? parsed(account.data) : [getBase64Decoder().decode(account.data), 'base64']
    return { data, executable, lamports: Number(lamports), owner, space: account.data.length, rentEpoch: 0 }
  }
  return {
    getBalance: (key: Address) => withContext(ledger, Number(svm.getBalance(key) ?? 0n)),
    getAccountInfo: (key: Address) => withContext(ledger, shown(key)),
    getTokenAccountsByOwner(
      owner: string,
      { mint, programId }: { mint?: string; programId?: string },
      config: { encoding: string },
    ) {
      const all = svm.getProgramAccounts((programId ?? TOKEN_PROGRAM_ADDRESS) as Address)
      const own = all.filter(({ data }) => {
        if (data.length !== 165) return false
        const token = getTokenDecoder().decode(data)
        return token.owner === owner && (mint === undefined || token.mint === mint)
      })
      return withContext(
        ledger,
        own.map(({ address }) => ({ pubkey: address, account: shown(address, config.encoding) })),
      )
    },
  }
}

function transactionMethods(ledger: SolanaLedger, behaviour: Behaviour): Methods {
  const { svm, processed, slot } = ledger
  // `finalized` is the default, and the client leaves it out.
  const isSeen = (isFinal: boolean, { commitment = 'finalized' }: { commitment?: string } = {}) =>
    isFinal || commitment !== 'finalized'
  return {
    getGenesisHash: () => behaviour.genesisHash,
    getLatestBlockhash: () =>
      withContext(ledger, { blockhash: svm.latestBlockhash(), lastValidBlockHeight: slot() + 150 }),
    getBlockHeight: ({ commitment = 'finalized' }: { commitment?: string } = {}) =>
      commitment === 'finalized' ? slot() - behaviour.lag : slot(),
    getSlot: () => slot() - behaviour.lag,
    getFirstAvailableBlock: () => (behaviour.firstAt === 0 ? 0 : behaviour.firstSlot),
    getBlockTime: (of: number) => (of === behaviour.firstSlot ? behaviour.firstAt : null),
    isBlockhashValid: (blockhash: string, { commitment = 'finalized' }: { commitment?: string } = {}) =>
      withContext(ledger, blockhash === svm.latestBlockhash() && !(commitment === 'finalized' && behaviour.lag > 0)),
    simulateTransaction(wire: string) {
      // The same state, without a look at signatures.
      const copy = LiteSVM.fromBytes(svm.toBytes()).withSigverify(false).withBlockhashCheck(false)
      const outcome = copy.simulateTransaction(decode(wire))
      const failure = outcome instanceof FailedTransactionMetadata ? outcome : null
      return withContext(ledger, { err: failure && String(failure.err()), logs: failure?.meta().logs() ?? [] })
    },
    sendTransaction(wire: string) {
      const transaction = decode(wire)
      const signature = getSignatureFromTransaction(transaction)
      const { staticAccounts } = getCompiledTransactionMessageDecoder().decode(transaction.messageBytes)
      if (staticAccounts.some((each) => each === behaviour.refuses)) throw new Refusal('Not this one')
      behaviour.handedOver.push(signature)
      if (!behaviour.loses) ledger.process(transaction)
      return signature
    },
    getSignatureStatuses(signatures: string[]) {
      const statuses = signatures.map((signature) => {
        const found = processed.find((entry) => entry.signature === signature)
        if (!found) return null
        const confirmationStatus = found.isFinal ? 'finalized' : 'confirmed'
        return { slot: found.slot, confirmations: null, err: found.err, confirmationStatus }
      })
      return withContext(ledger, statuses)
    },
    getSignaturesForAddress(key: string, config: { until?: string; commitment?: string }) {
      const own = processed.filter(({ keys, isFinal }) => keys.includes(key) && isSeen(isFinal, config)).reverse()
      const end = own.findIndex(({ signature }) => signature === config.until)
      return (end < 0 ? own : own.slice(0, end)).map(({ signature, slot, err }) => ({
        signature,
        slot,
        err,
        memo: null,
        blockTime: null,
      }))
    },
    getTransaction: (signature: string, config: { commitment?: string }) =>
      processed.find((entry) => entry.signature === signature && isSeen(entry.isFinal, config))?.record ?? null,
  }
}
