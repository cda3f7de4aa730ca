/** `bun run stop`: stops the running stack, in order. */
import { dataDirOption, runCommand } from './stack/command'
import { dataDirOf } from './stack/place'
import { runnerOf } from './stack/stack-lock'

const help = `Usage: bun run stop [--data-dir <folder>]

Stops the stack that runs on the data folder: services finish what is under way, then Redis ends. Nothing that was answered is
lost. Where systemd runs the stack, use systemctl stop.

  --data-dir <folder>   where the databases are (DATA_DIR, or data)
  --help                this text
`

/** The runner gives the services fifteen seconds, then Redis as many; machines may be busy. */
const longestMs = 60_000

await runCommand({ name: 'stop', help, options: dataDirOption }, async (values) => {
  const dataDir = dataDirOf(values['data-dir'])
  const runner = runnerOf(dataDir)
  if (!runner) return `Nothing runs on ${dataDir}.`
  process.kill(runner.pid, 'SIGTERM')
  const startMs = performance.now()
  while (runnerOf(dataDir)?.pid === runner.pid) {
    if (performance.now() - startMs > longestMs)
      throw new Error(`Process ${runner.pid} has not ended after ${longestMs / 1000} s: look at its log`)
    await Bun.sleep(50)
  }
  return `Everything has stopped (${((performance.now() - startMs) / 1000).toFixed(1)} s).`
})
