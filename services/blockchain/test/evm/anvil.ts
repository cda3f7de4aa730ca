import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { freePort, tempDir, until } from '@bursar/testing'
import { type Abi, createTestClient, getAddress, type Hex, http, publicActions, walletActions } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { anvil as chain } from 'viem/chains'
import { type Door, openDoor } from './anvil-door'
import artifact from './test-token.json'

/** Anvil's binary as its npm package brings it for this machine; null when it is not there. */
export const anvilBinary = findBinary()

function findBinary(): string | null {
  const { platform, arch } = process
  const target = `@foundry-rs/anvil-${platform}-${arch === 'x64' ? 'amd64' : arch}`
  try {
    const own = createRequire(import.meta.url).resolve('@foundry-rs/anvil/package.json')
    const binary = join(dirname(createRequire(own).resolve(`${target}/package.json`)), 'bin', 'anvil')
    return existsSync(binary) ? binary : null
  } catch {
    return null
  }
}

/** Anvil's own first accounts (its well-known test mnemonic). */
export const keys: Hex[] = [
  '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80',
  '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d',
  '0x5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a',
]
export const [bank, hotWallet, customer] = keys.map((key) => privateKeyToAccount(key)) as [Account, Account, Account]
type Account = ReturnType<typeof privateKeyToAccount>

export type Anvil = Awaited<ReturnType<typeof startAnvil>>

/** Keeps the guards from being collected: each takes the end of its input for the end of this process. */
const guards = new Set<Bun.Subprocess>()

/** Ends a node when this process is gone, also when it was itself killed. */
function guardOf(pid: number): Bun.Subprocess {
  const script = `trap '' INT TERM HUP; read -r _; kill -9 ${pid}`
  const shell = Bun.spawn(['/bin/sh', '-c', script], { stdin: 'pipe', stdout: 'ignore', stderr: 'ignore' })
  shell.unref()
  guards.add(shell)
  return shell
}

/** A node of a test's own, which mines when it is asked to; its state survives `kill` and `start`. */
export async function startAnvil({ port: wanted, args = ['--no-mining'] }: { port?: number; args?: string[] } = {}) {
  if (!anvilBinary) throw new Error('anvil is not there')
  const port = wanted ?? (await freePort())
  const state = join(tempDir(), 'state.json')
  const url = `http://127.0.0.1:${port}`
  let node: Bun.Subprocess | undefined
  let door: Door | undefined
  let guard: Bun.Subprocess | undefined
  const client = createTestClient({
    chain,
    mode: 'anvil',
    transport: http(url, { retryCount: 0, timeout: 60_000 }),
    cacheTime: 0,
  })
    .extend(publicActions)
    .extend(walletActions)
  async function start() {
    const nodePort = await freePort()
    const options = ['--port', String(nodePort), '--state', state, '--silent', '--order', 'fees', ...args]
    node = Bun.spawn([anvilBinary as string, ...options], { stdin: 'ignore', stdout: 'ignore', stderr: 'ignore' })
    node.unref()
    guard = guardOf(node.pid)
    door = openDoor(port, nodePort)
    await until(() => client.getChainId(), { what: 'anvil to answer' })
  }
  await start()
  return {
    url,
    port,
    client,
    start,
    mine: (blocks = 1) => client.mine({ blocks }),
    /** Ends it as a crash does, but with its state written: what is in no block is lost. */
    async kill() {
      door?.close()
      node?.kill('SIGTERM')
      await node?.exited
      guard?.kill('SIGKILL')
      if (guard) guards.delete(guard)
    },
    pause: () => node?.kill('SIGSTOP'),
    resume: () => node?.kill('SIGCONT'),
    /** Deploys the token with 6 decimals; the bank has all of it. */
    async deployToken(supply = 1_000_000_000_000n): Promise<Hex> {
      const hash = await client.deployContract({
        account: bank,
        abi: artifact.abi as Abi,
        bytecode: artifact.bytecode as Hex,
        args: [supply],
      })
      await client.mine({ blocks: 1 })
      const { contractAddress } = await client.waitForTransactionReceipt({ hash })
      return getAddress(contractAddress as Hex)
    },
    write: (address: Hex, functionName: string, args: unknown[]) =>
      client.writeContract({ account: bank, address, abi: artifact.abi as Abi, functionName, args }),
    balanceOf: (address: Hex, holder: Hex) =>
      client.readContract({
        address,
        abi: artifact.abi as Abi,
        functionName: 'balanceOf',
        args: [holder],
      }) as Promise<bigint>,
    pay: (to: Hex, value: bigint) => client.sendTransaction({ account: bank, to, value }),
  }
}
