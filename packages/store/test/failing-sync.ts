import { silentLog } from '@bursar/contracts/log'
import { logDefaults } from '../src/engine/write-ahead-log'
import { openStore } from '../src/index'
import { makeThing, migrations } from './writes'

/** Commits once, then lets every sync of one kind fail, commits as many bodies as that kind needs, and says what is answered. */
const [file = '', failing = ''] = process.argv.slice(2)
let broken = false
const say = (line: string) => process.stdout.write(`${line}\n`)
const log = { ...silentLog, error: (_: object, message: string) => say(message) }
const store = await openStore({
  service: 'store-test',
  file,
  migrations,
  log,
  tuning: {
    sync: (fd) => (broken && failing === 'sync' ? Promise.reject(new Error('EIO')) : logDefaults.sync(fd)),
    syncNow(fd) {
      if (broken && failing === 'syncNow') throw new Error('EIO')
      logDefaults.syncNow(fd)
    },
  },
})
store.onEvents((events) => broken && say(`events ${events.length}`))
await store.commit((tx) => makeThing(tx, 'first'))
say('answered first')
broken = true
const ids = Array.from({ length: failing === 'sync' ? 20 : 2 }, (_, n) => `second${n}`)
await Promise.allSettled(ids.map((id) => store.commit((tx) => makeThing(tx, id)).finally(() => say(`answered ${id}`))))
