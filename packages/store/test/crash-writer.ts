import { openStore } from '../src/index'
import { makeThing, migrations } from './writes'

/**
 * Commits a row and its event from 64 callers at once, for ever, and says each id after its commit was answered. It opens
 * the database when its input ends: its modules are loaded while the writer before it is at work.
 */
const [file = '', life = ''] = process.argv.slice(2)
await Bun.stdin.text()
const store = await openStore({ service: 'store-test', file, migrations })
let made = 0

async function write(caller: number) {
  for (;;) {
    const id = `${life}-${caller}-${made++}`
    await store.commit((tx) => makeThing(tx, id))
    process.stdout.write(`${id}\n`)
  }
}

await Promise.all(Array.from({ length: 64 }, (_, caller) => write(caller)))
