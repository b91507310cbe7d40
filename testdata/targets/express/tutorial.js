// The plant store as Express tutorials write it: express.json() and a look at req.body.
const express = require('express')
const app = express()

app.use(express.json())

app.use((req, res, next) => {
  const token = (req.headers.authorization || '').split(' ')[1]
  if (token !== process.env.TOKEN) return res.status(401).json({ error: 401, message: 'Unauthorized' })
  next()
})

app.post('/plants', (req, res) => {
  const { id, name, tag } = req.body
  if (!id || !name) return res.status(400).json({ error: 400, message: 'id and name are required' })
  res.json({ name, tag })
})

app.listen(Number(process.env.PORT), '127.0.0.1')
