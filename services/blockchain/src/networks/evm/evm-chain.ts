import { getAddress, type Hex, isAddress } from 'viem'
import { call, getBalance } from 'viem/actions'
import { hashOf } from '../forms'
import type { InnerMethods } from '../inner-methods'
import type { Chain, HeldToken, Holding, NetworkSettings, RecordedTaker } from '../network'
import { asking } from '../node-failure'
import type { NodeReport } from '../node-report'
import { lookAtChain } from './chain-look'
import { balanceData, decimalsData, readBalance, readDecimals } from './erc20'
import { findTransaction } from './evm-find'
import { connectEvm } from './evm-nodes'
import { evmSending } from './evm-sending'
import { evmSource } from './evm-source'
import type { NodeClient } from './node-client'
import { revertReason } from './revert-reason'

/** An EVM network behind its nodes. */
export function createEvmChain(
  settings: NetworkSettings,
  report: NodeReport,
  { recorded, methods }: { recorded: RecordedTaker; methods: InnerMethods },
): Chain {
  const nodes = connectEvm(settings, report)
  const { client } = nodes
  return {
    settings,
    sending: evmSending(settings, nodes, recorded),
    source: evmSource(settings, nodes, methods),
    address: (text) => (isAddress(text, { strict: hasBothCases(text) }) ? getAddress(text) : null),
    hash: (text) => hashOf('evm', text),
    holdings: (address, tokens) => asking(settings.name, () => readHoldings(client, address, tokens)),
    decimals: (contract) => asking(settings.name, () => tokenDecimals(client, contract)),
    find: (txHash) => asking(settings.name, () => findTransaction(client, lookAtChain(settings, nodes), txHash)),
  }
}

/** An address in mixed case carries a checksum in it (EIP-55); one in lower case carries none. */
const hasBothCases = (text: string): boolean => /[a-f]/.test(text) && /[A-F]/.test(text)

async function readHoldings(client: NodeClient, text: string, tokens: readonly HeldToken[]): Promise<Holding[]> {
  const address = getAddress(text)
  const holdings = await Promise.all(
    tokens.map(async ({ contractAddress, decimals }) => ({
      contractAddress,
      amount:
        contractAddress === null
          ? await getBalance(client, { address })
          : await tokenBalance(client, contractAddress, address),
      decimals: decimals ?? (contractAddress === null ? null : await tokenDecimals(client, contractAddress)) ?? 0,
    })),
  )
  return holdings.filter(({ amount }) => amount > 0n)
}

/** 0 if it is not a token on this chain. */
const tokenBalance = async (client: NodeClient, contract: string, holder: Hex): Promise<bigint> =>
  readBalance(await answerOf(client, contract, balanceData(holder)))

/** Null if the contract does not say. */
const tokenDecimals = async (client: NodeClient, contract: string): Promise<number | null> =>
  readDecimals(await answerOf(client, contract, decimalsData))

async function answerOf(client: NodeClient, contract: string, data: Hex): Promise<Hex | undefined> {
  try {
    return (await call(client, { to: getAddress(contract), data })).data
  } catch (error) {
    if (revertReason(error) !== null) return undefined
    throw error
  }
}
