import { openStore } from '../src/index'
import { makeThing, migrations } from './writes'

/** Commits a row and its event from 64 callers at once, for ever, and says each id after its commit was answered. */
const [file = '', life = ''] = process.argv.slice(2)
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
