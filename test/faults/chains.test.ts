// The small form of test/faults/chains.ts: services of money on a chain are killed under way, and nothing is lost or paid twice.
import { expect, test } from 'bun:test'
import { inGroups, runChaos } from './chains-run'

test('30 movements while two of wallet, blockchain, ledger and Redis are killed: all end, each is paid once, the books agree', async () => {
  const seed = Number(process.env.CHAOS_SEED) || Date.now() % 2 ** 31
  const said: string[] = []
  const report = await runChaos({ seed, movements: 30, kills: 2, lanes: 3, print: (text) => said.push(text) })
  expect({ seed, said, problems: report.problems }).toEqual({ seed, said, problems: [] })
  expect(report.withdrawals + report.deposits + report.refused).toBeGreaterThanOrEqual(30)
})

test('30 movements while services of a process are killed, killed as they start again, and stopped: each step is told once, too', async () => {
  const seed = Number(process.env.CHAOS_SEED) || Date.now() % 2 ** 31
  const said: string[] = []
  const print = (text: string) => said.push(text)
  const report = await runChaos({ seed, movements: 30, kills: 4, lanes: 3, groups: inGroups, print })
  expect({ seed, said, problems: report.problems }).toEqual({ seed, said, problems: [] })
})
