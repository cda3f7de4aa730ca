import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { drive } from './drive'
import type { Place, Scenario } from './scenario'

const lines = 40

/** Loads a scenario's service under Bun's profiler and answers with the functions that took most time. */
export async function profile(scenario: Scenario, place: Place, seconds: number): Promise<string> {
  const folder = place.newFolder()
  const profiled: Place = { ...place, bun: [...place.bun, '--cpu-prof-md', '--cpu-prof-dir', folder] }
  const [subject] = scenario.subjects
  const connections = Math.max(...scenario.connections)
  if (!subject) return ''
  const running = await subject.start(profiled, [])
  try {
    await drive(running, subject.load ?? scenario.load, connections, seconds)
  } finally {
    await running.stop()
  }
  return await hottest(folder)
}

/** The functions that took most time, by the profiles in a folder. */
export async function hottest(folder: string): Promise<string> {
  // Threads have profiles of their own; the main one's is the largest.
  const [largest] = readdirSync(folder)
    .map((name) => join(folder, name))
    .sort((a, b) => statSync(b).size - statSync(a).size)
  if (!largest) throw new Error('Bun wrote no profile')
  const text = await Bun.file(largest).text()
  const [, hot = ''] = text.split('## Hot Functions')
  return `${hot.split('\n').slice(2, lines).join('\n')}\n\nThe whole profile: ${largest}`
}
