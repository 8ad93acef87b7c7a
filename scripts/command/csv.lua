-- Tables as CSV, for the scripts that share them.
return require("orrery").tools.csv()
