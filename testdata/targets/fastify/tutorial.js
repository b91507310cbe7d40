// The plant store as Fastify's guides write it: a JSON schema and the bearer-auth plugin.
const fastify = require('fastify')()

fastify.register(require('@fastify/bearer-auth'), { keys: new Set([process.env.TOKEN]) })

const plant = {
  type: 'object',
  required: ['name'],
  properties: { name: { type: 'string' }, tag: { type: 'string' } }
}
const newPlant = {
  type: 'object',
  required: ['id', 'name'],
  properties: { id: { type: 'integer' }, name: { type: 'string' }, tag: { type: 'string' } }
}

fastify.register(async (app) => {
  app.post('/plants', { schema: { body: newPlant, response: { 200: plant } } }, async (request) => request.body)
})

fastify.listen({ host: '127.0.0.1', port: Number(process.env.PORT) })
