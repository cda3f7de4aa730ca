// The small form of test/faults/money.ts: all sixteen services under work and faults for some seconds, all money counted
// again, and attacks on that recount. Services that hold money are processes of their own, which are killed; all others
// share one: sixteen processes take longer to start on two busy cores than the rest of this test.
import { expect, test } from 'bun:test'
import { anvilBinary } from '../../services/blockchain/test/evm/anvil'
import { attacks } from './money/attacks'
import { noticed } from './money/noticed'
import { run } from './money/run'
import { together } from './money/stack'

test.skipIf(!anvilBinary)(
  'while services, Redis and the node are killed, frozen and lied to: nothing is lost, made, doubled or stuck; each attack on the books is noticed',
  async () => {
    const seed = Number(process.env.CHAOS_SEED) || Date.now() % 2 ** 31
    const said = [`seed ${seed}`]
    const options = {
      seed,
      seconds: 12,
      untilEnough: true,
      units: together(['core-ledger', 'wallet', 'blockchain', 'transaction-manager']),
      lanes: 6,
      customers: 4,
      institutions: 2,
      faultLanes: 2,
      restorePercent: 0,
      blockMs: 300,
      stillMs: 75_000,
      print: (line: string) => said.push(line),
    }
    await run(options, async (done) => {
      expect({ said, findings: done.findings }).toEqual({ said, findings: [] })
      for (const attack of attacks) {
        const found = await noticed(done, attack)
        expect({ attack: attack.name, kinds: found.map(({ kind }) => kind) }).toEqual({
          attack: attack.name,
          kinds: expect.arrayContaining([attack.expected]),
        })
      }
    })
  },
)
