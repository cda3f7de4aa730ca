import { openStore } from '../src/index'
import { makeThing, migrations } from './writes'

/** Commits a row to the first database, then one to the second, and so on, for ever; says `ready` after the first ones. */
const [first = '', second = ''] = process.argv.slice(2)
const open = (file: string) => openStore({ service: 'store-test', file, migrations })
const [one, two] = [await open(first), await open(second)]
for (let n = 0; ; n++) {
  await one.commit((tx) => makeThing(tx, `${n}`))
  await two.commit((tx) => makeThing(tx, `${n}`))
  if (n === 100) process.stdout.write('ready\n')
}
