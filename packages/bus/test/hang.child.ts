// Takes one event and never finishes with it.
import { silentLog } from '@bursar/contracts/log'
import { connectBus } from '../src'
import { secret } from './events'

const [url = '', prefix] = process.argv.slice(2)
connectBus({ url, service: 'quote', log: silentLog, secret, prefix }).consume(async () => {
  process.stdout.write('taken\n')
  await new Promise(() => {})
})
