import { eventText } from '@bursar/contracts/event'
import { silentLog } from '@bursar/contracts/log'
import { connectBus } from '../src'
import { Counted, envelope, patienceMs, secret } from './events'

const bus = connectBus({ url: process.argv[2] ?? '', service: 'quote', log: silentLog, secret, patienceMs })
const seen = new Promise<void>((resolve) => bus.consume(async () => resolve()))
try {
  await bus.publish([envelope(Counted, { n: 1 })].map(eventText))
  await seen
  process.stdout.write('seen 1\n')
} catch {
  process.stdout.write('refused\n')
}
await bus.close()
