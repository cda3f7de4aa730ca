import { messageOf } from '@bursar/contracts/log'
import { serviceNames } from '@bursar/contracts/services'
import { requirePorts } from '../stack/ports'
import { addressesOf } from '../stack/procfile'
import { problemWithLife } from '../stack/ready'
import { watchWaiting } from '../stack/waiting'
import { type Examination, type Finding, findingsAbout } from './finding'

const ports = findingsAbout('ports')
const running = findingsAbout('services')

/** Problems and waiting work of the running services; for the others, whether they could listen. */
export const examineServices: Examination = async ({ env }) => {
  const addresses = addressesOf(serviceNames, env)
  const asked = await Promise.all(addresses.map(async (one) => ({ one, runs: (await problemWithLife(one)) === null })))
  const up = asked.filter(({ runs }) => runs).map(({ one }) => one)
  const down = asked.filter(({ runs }) => !runs).map(({ one }) => one)
  const waits = watchWaiting(up)
  // A failure counts if it is seen twice.
  const sentences = [...(await waits.look()), ...(await waits.look())]
  const found: Finding[] = sentences.map(running.warning)
  if (up.length > 0 && sentences.length === 0)
    found.push(running.ok(`${up.length} run, and nothing waits for a person`))
  try {
    await requirePorts(down)
    if (up.length === 0) found.push(ports.ok('all are free, and no service runs'))
    else if (down.length > 0) found.push(running.warning(`${down.map(({ name }) => name).join(', ')} do not run`))
  } catch (error) {
    found.push(...messageOf(error).split('\n').map(ports.wrong))
  }
  return found
}
