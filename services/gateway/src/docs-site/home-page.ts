import type { ServiceHealth } from './service-health'

const words = { ok: 'Healthy', error: 'Not healthy', away: 'Not reachable' } as const

/** Of several instances it says how many are healthy. */
const wordsOf = ({ status, instances, healthyInstances }: ServiceHealth): string =>
  instances > 1 ? `${words[status]}, ${healthyInstances} of ${instances} instances` : words[status]

const isWhole = ({ instances, healthyInstances }: ServiceHealth): boolean => healthyInstances === instances

const row = (of: ServiceHealth): string => {
  const { name, slug, status, ms } = of
  return `<tr>
<th scope="row">${name}</th>
<td><code>/${slug}/v1</code></td>
<td class="${isWhole(of) ? 'ok' : status === 'ok' ? 'error' : status}"><span aria-hidden="true">${isWhole(of) ? '●' : '▲'}</span> ${wordsOf(of)}</td>
<td class="ms">${status === 'away' ? '' : `${ms} ms`}</td>
<td><a href="docs?service=${slug}">API</a></td>
</tr>`
}

/** The page at `/`: every service, its health, and a link to its documentation. Names come from our own catalogue. */
export function homePage(found: readonly ServiceHealth[], { version, at }: { version: string; at: Date }): string {
  const healthy = found.filter(({ status }) => status === 'ok').length
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Bursar: ${healthy} of ${found.length} services are healthy</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="home.css">
<script src="home.js" defer></script>
</head>
<body>
<header>
<h1>Bursar</h1>
<p><a href="console">The console</a>, where a payment company’s people work. <a href="docs">All APIs</a>, or as one document:
<a href="openapi.json">openapi.json</a>. Version ${version}.</p>
</header>
<main aria-live="polite">
<p class="sum">${healthy} of ${found.length} services are healthy at <time datetime="${at.toISOString()}">${at.toISOString().slice(11, 19)} UTC</time>.</p>
<table>
<thead><tr><th scope="col">Service</th><th scope="col">Path</th><th scope="col">Health</th><th scope="col" class="ms">Time</th><th scope="col">Documentation</th></tr></thead>
<tbody>
${found.map(row).join('\n')}
</tbody>
</table>
</main>
</body>
</html>
`
}

export const homeStyle = `:root { color-scheme: light dark; --line: light-dark(#e3e6ea, #2c3138); --soft: light-dark(#5b6470, #9aa4b0);
  --good: light-dark(#17703f, #5fd394); --bad: light-dark(#a8321f, #ff8f7a); --link: light-dark(#1d5fc4, #7db4ff); }
* { box-sizing: border-box }
body { max-width: 52rem; margin: 0 auto; padding: 3rem 1.25rem; font: 15px/1.5 system-ui, sans-serif;
  background: light-dark(#fff, #15181c); color: light-dark(#1b1f24, #e6e9ed) }
h1 { margin: 0; font-size: 1.75rem; letter-spacing: -.02em }
header p, .sum { color: var(--soft) }
a { color: var(--link) }
table { width: 100%; border-collapse: collapse }
th, td { padding: .5rem .75rem .5rem 0; border-bottom: 1px solid var(--line); text-align: left; font-weight: 400 }
tbody th { font-weight: 600 }
thead th { color: var(--soft); font-size: .85em }
code { font: .92em ui-monospace, monospace; color: var(--soft) }
.ok { color: var(--good) } .error, .away { color: var(--bad) }
.ms { text-align: right; padding-right: 1.5rem; font-variant-numeric: tabular-nums; color: var(--soft) }
@media (max-width: 40rem) { .ms, td:nth-child(2), th:nth-child(2) { display: none } }
`

/** Refreshes the page every five seconds while it is visible. */
export const homeScript = `setInterval(async () => {
  if (document.hidden) return
  try {
    const text = await (await fetch(location.pathname)).text()
    const page = new DOMParser().parseFromString(text, 'text/html')
    document.title = page.title
    document.querySelector('main').replaceWith(page.querySelector('main'))
  } catch {}
}, 5000)
`
