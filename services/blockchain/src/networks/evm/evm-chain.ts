import { getAddress, type Hex, isAddress } from 'viem'
import { call, getBalance } from 'viem/actions'
import { hashOf } from '../forms'
import type { Chain, Holding, NetworkSettings, Token } from '../network'
import { asking } from '../node-failure'
import type { NodeReport } from '../node-report'
import { lookAtChain } from './chain-look'
import { balanceData, readBalance } from './erc20'
import { findTransaction } from './evm-find'
import { evmSending } from './evm-sending'
import { evmSource } from './evm-source'
import { connectEvm, type NodeClient } from './node-client'
import { revertReason } from './revert-reason'

/** An EVM network behind its nodes. */
export function createEvmChain(settings: NetworkSettings, report: NodeReport): Chain {
  const nodes = connectEvm(settings, report)
  const { client } = nodes
  return {
    settings,
    sending: evmSending(settings, nodes),
    source: evmSource(settings, nodes),
    address: (text) => (isAddress(text, { strict: hasBothCases(text) }) ? getAddress(text) : null),
    hash: (text) => hashOf('evm', text),
    holdings: (address, tokens) => asking(settings.name, () => readHoldings(client, address, tokens)),
    find: (txHash) => asking(settings.name, () => findTransaction(client, lookAtChain(settings, nodes), txHash)),
  }
}

/** An address in mixed case carries a checksum in it (EIP-55); one in lower case carries none. */
const hasBothCases = (text: string): boolean => /[a-f]/.test(text) && /[A-F]/.test(text)

async function readHoldings(client: NodeClient, text: string, tokens: readonly Token[]): Promise<Holding[]> {
  const address = getAddress(text)
  const holdings = await Promise.all(
    tokens.map(async ({ contractAddress, decimals }) => ({
      contractAddress,
      amount:
        contractAddress === null
          ? await getBalance(client, { address })
          : await tokenBalance(client, contractAddress, address),
      decimals,
    })),
  )
  return holdings.filter(({ amount }) => amount > 0n)
}

/** Nothing of what is no token on this chain. */
async function tokenBalance(client: NodeClient, contract: string, holder: Hex): Promise<bigint> {
  try {
    const { data } = await call(client, { to: getAddress(contract), data: balanceData(holder) })
    return readBalance(data)
  } catch (error) {
    if (revertReason(error) !== null) return 0n
    throw error
  }
}
