-- Tables as CSV, for the scripts that share it.
return require("orrery").tools.csv()
