import { join } from 'node:path'
import { freePort } from '@bursar/testing'
import { type Running, startProcess } from '../processes'
import type { Scenario, Subject } from '../scenario'
import { quote } from '../subjects'

const load = (code: string) => ({ path: '/rates', script: 'new-rate.lua', env: { CODE: code } })

/** POST /rates of a stablecoin: stored and published, nobody is asked. */
export const createStaticRate: Scenario = {
  name: 'create-static-rate',
  title: 'POST /rates, static',
  load: load('USDC'),
  connections: [64],
  subjects: [quote({ assets: 0, writes: true })],
  goals: [],
}

const providers = 3

/** POST /rates of an asset that three providers are asked about, over HTTP on this machine. */
export const createRate: Scenario = {
  name: 'create-rate',
  title: 'POST /rates, three local providers',
  load: load('BTC'),
  connections: [1, 64],
  subjects: [askingProviders()],
  goals: [],
}

function askingProviders(): Subject {
  return {
    name: 'service',
    async start(place, before) {
      const port = String(await freePort())
      const address = `127.0.0.1:${port}`
      const provider = await startProcess({
        command: [process.execPath, join(import.meta.dir, '../provider.ts'), port],
        env: {},
        readyUrls: [`http://${address}/`],
        log: join(place.newFolder(), 'provider.log'),
      })
      const service = quote({
        assets: 0,
        writes: true,
        env: { OUTBOUND_ALLOW: address },
        prepare: (running) => addProviders(running, `http://${address}/{code}`),
      })
      const running = await service.start(place, before)
      const stop = async () => {
        await running.stop()
        await provider.stop()
      }
      return { ...running, stop }
    },
  }
}

async function addProviders({ url }: Running, template: string): Promise<void> {
  for (let i = 0; i < providers; i++) {
    const body = JSON.stringify({
      name: `Provider ${i}`,
      slug: `local-${i}`,
      isDefault: true,
      config: { url: template, path: 'price' },
    })
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(`${url}/providers`, { method: 'POST', headers, body })
    if (answer.status !== 201) throw new Error(`POST /providers answered ${answer.status}: ${await answer.text()}`)
  }
}
