import { services } from '@bursar/contracts/services'
import { titleOf } from '@bursar/http'
import { behind } from './service-health'

/** The viewer of all documents: the whole first, then one for each service. */
export const docsPage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Bursar: APIs</title>
<link rel="icon" type="image/png" href="docs/favicon-32x32.png">
<link rel="stylesheet" href="docs/swagger-ui.css">
</head>
<body>
<div id="page"></div>
<script src="docs/swagger-ui-bundle.js"></script>
<script src="docs/swagger-ui-standalone-preset.js"></script>
<script src="docs/start.js"></script>
</body>
</html>
`

const documents = [
  { name: 'All services', url: 'openapi.json', slug: '' },
  ...behind.map((name) => {
    const { slug } = services[name]
    return { name: titleOf(name), url: `docs/${slug}.json`, slug }
  }),
]

/** The licence is omitted: the page would link it to a public list that does not contain it. */
export const docsScript = `const documents = ${JSON.stringify(documents)}
const wanted = new URLSearchParams(location.search).get('service') ?? ''
const chosen = documents.find(({ slug }) => slug === wanted) ?? documents[0]
SwaggerUIBundle({
  urls: documents.map(({ name, url }) => ({ name, url })),
  'urls.primaryName': chosen.name,
  dom_id: '#page',
  deepLinking: true,
  displayRequestDuration: true,
  persistAuthorization: false,
  validatorUrl: null,
  layout: 'StandaloneLayout',
  presets: [SwaggerUIBundle.presets.apis, SwaggerUIStandalonePreset],
  plugins: [() => ({ components: { License: () => null } })],
})
`
